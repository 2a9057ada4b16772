import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startBarePost, startScanner } from '../compared-servers.js';
import { isObject } from '../json.js';
import { post, saving } from '../loads.js';
import { atMost, type Bench, Collected, type Measurement, type Ratio, type Row } from '../measurement.js';
import { firstMessageOf, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import type { Server } from '../processes/server.js';
import { inRounds, ratio } from '../statistics.js';

const wanted = 1.5;
const document = 'parameters.json';
const latency = 'save p50 ms';

interface Subject {
  readonly server: Server;
  readonly file: string;
  readonly collected: Collected;
}

/** WriteEeprom, compared with node:http that durably replaces a file with the same bytes; both need a login. */
export async function measureSave(bench: Bench): Promise<Measurement> {
  const file = join(bench.folder, 'save', document);
  const folder = join(bench.folder, 'save-bare');
  mkdirSync(folder);
  const scanner = subjectOf(await startScanner(bench, 'save'), file);
  const floor = subjectOf(await startBarePost(bench, { file, folder }), join(folder, document));
  const one = { connections: 1, seconds: bench.seconds };
  for (const { server } of [scanner, floor]) await post(bench, server, saving, one);
  await inRounds([scanner, floor], bench.rounds, async ({ server, file, collected }, round) => {
    bench.progress(`round ${round + 1} of ${bench.rounds}: ${server.name}`);
    const before = statSync(file).mtimeMs;
    const { operations, seconds, p50, lastP50, lastP99, serverCpu } = await post(bench, server, saving, one);
    if (statSync(file).mtimeMs === before) throw new Error(`${server.name} has saved nothing`);
    collected.add({
      [latency]: lastP50,
      'save p99 ms': lastP99,
      'with challenge p50 ms': p50,
      'ops/s': operations / seconds,
      'server µs/op': (serverCpu * 1e6) / operations,
    });
  });
  await Promise.all([scanner.server.end(), floor.server.end()]);
  bench.progress('inside one process');
  const inside = await savesInside(bench, file);
  const names = `${scanner.server.name} to ${floor.server.name}`;
  const ratioOf = (figure: string) => ({
    name: `${names}: ${figure}`,
    spread: ratio(scanner.collected.values(figure), floor.collected.values(figure)),
  });
  const target = ratioOf(latency);
  return {
    name: 'save',
    title: `WriteEeprom, authenticated, ${statSync(file).size} bytes on disk, 1 connection`,
    rows: [scanner.collected.row, floor.collected.row, ...inside.rows],
    ratios: [target, ratioOf('with challenge p50 ms'), ...inside.ratios],
    targets: [atMost(target.name, '', wanted, target.spread.median)],
    notes: [],
  };
}

function subjectOf(server: Server, file: string): Subject {
  return { server, file, collected: new Collected(server.name, 'over HTTP') };
}

const figure = 'save p50 ms';

/** Saves without HTTP: the device's own, and durable replacements of a file with synchronous calls and promises. */
export async function savesInside(
  { folder, rounds }: Bench,
  file: string,
): Promise<{ rows: Row[]; ratios: Ratio[] }> {
  const message = await firstMessageOf({
    core: cores.server,
    command: program('save-inside', file, join(folder, 'save-inside'), String(rounds)),
  });
  const device = collect(message, 'device', 'Device.call(WriteEeprom)');
  const bySynchronous = collect(message, 'synchronous', 'bare, synchronous calls');
  const byPromises = collect(message, 'promises', 'bare, fs/promises');
  return {
    rows: [device.row, bySynchronous.row, byPromises.row],
    ratios: [bySynchronous, byPromises].map((floor) => ({
      name: `${device.subject} to ${floor.subject}: ${figure}`,
      spread: ratio(device.values(figure), floor.values(figure)),
    })),
  };
}

/** The process sends a median (ms) for each round. */
function collect(message: unknown, name: string, subject: string): Collected {
  const values = isObject(message) ? message[name] : undefined;
  if (!Array.isArray(values)) throw new Error('the process that saves has told nothing');
  const collected = new Collected(subject, 'in one process');
  for (const value of values) collected.add({ [figure]: Number(value) });
  return collected;
}
