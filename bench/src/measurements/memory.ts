import { bare, ours, startBarePost, startScanner, variablePath } from '../compared-servers.js';
import { get, post, writing } from '../loads.js';
import type { Bench } from '../measurement.js';
import { atMost, Collected, type Measurement } from '../measurement.js';
import type { Server } from '../processes/server.js';
import { inRounds } from '../statistics.js';

/** Megabytes (10⁶ bytes). */
const wanted = { first: 60, afterLoad: 120 };

/** Each round needs a new process and long loads. */
const mostRounds = 3;
const lengths = 10;

const firstAnswer = 'first MB';
const afterReads = 'after reads MB';
const afterWrites = 'after writes MB';

/** Resident memory of a new process: at its first answer, after reads and after authenticated writes. */
export async function measureMemory(bench: Bench): Promise<Measurement> {
  const rounds = Math.min(bench.rounds, mostRounds);
  const seconds = bench.seconds * lengths;
  const scanner = new Collected(ours, 'new process');
  const floor = new Collected(bare, 'new process');
  const starters: readonly [Collected, (round: number) => Promise<Server>][] = [
    [scanner, (round) => startScanner(bench, `memory-${round}`)],
    [floor, () => startBarePost(bench)],
  ];
  await inRounds(starters, rounds, async ([collected, start], round) => {
    bench.progress(`round ${round + 1} of ${rounds}: ${collected.subject}`);
    const server = await start(round);
    const first = server.memory.resident;
    const body = await server.get(variablePath);
    await get(bench, server, { paths: [variablePath], body }, { connections: 64, seconds });
    const read = server.memory.resident;
    await post(bench, server, writing, { connections: 16, seconds });
    const { resident, peak } = server.memory;
    collected.add({ [firstAnswer]: first, [afterReads]: read, [afterWrites]: resident, 'peak MB': peak });
    await server.end();
  });
  const found = Math.max(scanner.median(afterReads), scanner.median(afterWrites));
  const told = Number.isFinite(found);
  return {
    name: 'memory',
    title: `Resident memory: reads at 64 connections, then writes at 16, ${seconds} s each`,
    rows: [scanner.row, floor.row],
    ratios: [],
    targets: told
      ? [
          atMost(`${ours}: resident at the first answer`, 'MB', wanted.first, scanner.median(firstAnswer)),
          atMost(`${ours}: resident after load`, 'MB', wanted.afterLoad, found),
        ]
      : [],
    notes: told ? [] : ['this system has no /proc to tell the memory of a process'],
  };
}
