import { join } from 'node:path';
import { startBareUpload, startScanner } from '../compared-servers.js';
import type { Bench } from '../measurement.js';
import { atLeast, atMost, Collected, type Measurement } from '../measurement.js';
import type { Server } from '../processes/server.js';
import { inRounds, median, ratio } from '../statistics.js';

/** The maximum size of PUT /update. */
const bytes = 100 * 1024 * 1024;
const uploadsPerRound = 3;
const path = '/api/update';

/** The target as a share of the bare server's throughput, and a megabyte (10⁶ bytes). */
const wanted = 0.8;
const wantedGrowth = 48;

const throughput = 'MB/s';
const growth = 'grown by MB';

interface Subject {
  readonly server: Server;
  readonly collected: Collected;
  /** Resident memory (MB) before its first large upload. */
  readonly before: number;
}

/** PUT /update of 100 MB, compared with node:http that pipes the same bytes to a file on the same disk. */
export async function measureUpload(bench: Bench): Promise<Measurement> {
  // This release needs no session token.
  const scanner = await begin(bench, await startScanner(bench, 'upload', ['--firmware', '2.2.0']), 'on disk');
  const file = (name: string) => join(bench.folder, name);
  const piping = await begin(bench, await startBareUpload(bench, file('upload-bare')), 'piped');
  const syncing = await begin(bench, await startBareUpload(bench, file('upload-synced'), 'sync'), 'on disk');
  const subjects = [scanner, piping, syncing];
  await inRounds(subjects, bench.rounds, async ({ server, collected, before }, round) => {
    bench.progress(`round ${round + 1} of ${bench.rounds}: ${server.name}, ${collected.condition}`);
    const times: number[] = [];
    for (let count = 0; count < uploadsPerRound; count++) {
      times.push((await bench.load.upload({ port: server.port, path, bytes })).milliseconds);
    }
    collected.add({
      [throughput]: bytes / 1e3 / median(times),
      [growth]: server.memory.peak - before,
    });
  });
  await Promise.all(subjects.map(({ server }) => server.end()));
  const ratioTo = (floor: Subject) => ({
    name: `${scanner.server.name} to ${floor.server.name}, ${floor.collected.condition}: ${throughput}`,
    spread: ratio(scanner.collected.values(throughput), floor.collected.values(throughput)),
  });
  const target = ratioTo(piping);
  const most = Math.max(...scanner.collected.values(growth));
  const told = Number.isFinite(most);
  return {
    name: 'upload',
    title: `PUT /update, ${bytes} bytes, 1 connection`,
    rows: subjects.map(({ collected }) => collected.row),
    ratios: [target, ratioTo(syncing)],
    targets: [
      atLeast(target.name, '', wanted, target.spread.median),
      ...(told
        ? [atMost(`${scanner.server.name}: resident memory, ${growth}`, 'MB', wantedGrowth, most)]
        : []),
    ],
    notes: told ? [] : ['this system has no /proc to tell the memory of a process'],
  };
}

/** A small upload first, so that loading code does not count. */
async function begin(bench: Bench, server: Server, condition: string): Promise<Subject> {
  await bench.load.upload({ port: server.port, path, bytes: 1000 });
  return { server, collected: new Collected(server.name, condition), before: server.memory.resident };
}
