import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ours, startScanner, variablePath } from '../compared-servers.js';
import { isObject } from '../json.js';
import { get } from '../loads.js';
import { atLeast, atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { cpuSeconds } from '../proc.js';
import { ChildProgram, program, root } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { Server } from '../processes/server.js';
import { compareThroughput, ratiosOf, type Subject, targetsOf } from '../throughput.js';

const name = 'azimuth fleet';
const sizes = [100, 1000, 10_000] as const;
/** Scanners that all run, and processes with one scanner each. */
const running = 1000;
const processes = 10;
/** Seconds without requests. */
const idleSeconds = 20;
/** Seconds without requests that include the tasks that a fleet does once a minute. */
const idleMinute = 65;
/** Number of scanners of the mix, and seconds of its measurement. */
const mixed = 200;
const mixSeconds = 10;
/** Most rounds: one takes more than a minute. */
const mostRounds = 3;

const ready = 'ready ms';
const resident = 'resident MB';
const each = 'resident MB each';
const idle = 'idle: % of a core';

/** Share of the requests of a scanner alone. */
const wanted = 0.9;

/** Many scanners in one process: memory, starts, what idle ones cost, and reads by the port of the fleet. */
export async function measureFleet(bench: Bench): Promise<Measurement> {
  const rounds = Math.min(bench.rounds, mostRounds);
  const managed = new Map(sizes.map((size) => [size, new Collected(name, `${size} scanners`)]));
  const own = new Collected(name, '1000 scanners with ports of their own');
  const all = new Collected(name, `${running} scanners that all run`);
  const mix = new Collected(
    name,
    `${mixed} scanners: 5 % stream, 20 % are followed, reads and saves at random`,
  );
  const single = new Collected(ours, `a process for each of ${processes} scanners`);
  for (let round = 0; round < rounds; round++) {
    for (const [size, collected] of managed) {
      bench.progress(`round ${round + 1} of ${rounds}: ${collected.condition}`);
      const seconds = size === 10_000 ? idleMinute : idleSeconds;
      collected.add(await idling(await startFleet(bench, size, `${size}-${round}`), seconds));
    }
    bench.progress(`round ${round + 1} of ${rounds}: ${own.condition}`);
    own.add(await idling(await startFleet(bench, 1000, `own-${round}`, '--own-ports', '21000'), idleSeconds));
    bench.progress(`round ${round + 1} of ${rounds}: ${all.condition}`);
    all.add(await switchedOnFigures(await startFleet(bench, running, `all-${round}`)));
    bench.progress(`round ${round + 1} of ${rounds}: ${mix.condition}`);
    mix.add(await mixOf(await startFleet(bench, mixed, `mix-${round}`)));
    bench.progress(`round ${round + 1} of ${rounds}: ${single.condition}`);
    single.add(await oneByOne(bench, round));
  }
  const reads = await readsOf(bench);
  const [hundred, thousands] = [managed.get(100), managed.get(10_000)];
  if (hundred === undefined || thousands === undefined) throw new Error('there are no sizes');
  const seconds = (thousands.median(ready) - hundred.median(ready)) / 1000;
  return {
    name: 'fleet',
    title: 'Many scanners in one process, by azimuth fleet run',
    rows: [
      ...[...managed.values()].map(({ row }) => row),
      own.row,
      all.row,
      mix.row,
      single.row,
      ...reads.one.rows,
      ...reads.all.rows,
    ],
    ratios: ratiosOf([...reads.one.comparisons, ...reads.all.comparisons]),
    targets: [
      atMost('10 000 scanners', 'MB', 600, thousands.median(resident)),
      atMost('10 000 scanners that nobody asks', '% of a core', 1, thousands.median(idle)),
      atMost('1000 scanners with ports of their own', 'MB', 300, own.median(resident)),
      atLeast('scanners that are ready', 'a second', 1000, (10_000 - 100) / seconds),
      ...targetsOf(reads.one.comparisons, wanted),
    ],
    notes: [...reads.one.notes, ...reads.all.notes],
  };
}

function startFleet(
  bench: Bench,
  count: number,
  folder: string,
  ...flags: readonly string[]
): Promise<Server> {
  const command = join(root, 'packages', 'cli', 'bin', 'azimuth.js');
  const words = [
    'fleet',
    'run',
    '--json',
    '--count',
    String(count),
    '--data',
    join(bench.folder, `fleet-${folder}`),
  ];
  return Server.start(bench, {
    name,
    command: (port) => [process.execPath, command, ...words, '--port', String(port), ...flags],
    path: '/fleet',
  });
}

async function idling(fleet: Server, seconds: number): Promise<Record<string, number>> {
  await pause(1000);
  const before = cpuSeconds(fleet.pid);
  await pause(seconds * 1000);
  const busy = ((cpuSeconds(fleet.pid) - before) / seconds) * 100;
  const figures = { [ready]: fleet.firstResponse, [resident]: fleet.memory.resident, [idle]: busy };
  await fleet.end();
  return figures;
}

/** Every scanner is read once, so that every one runs. */
async function switchedOnFigures(fleet: Server): Promise<Record<string, number>> {
  const before = fleet.memory.resident;
  const began = performance.now();
  for (let index = 0; index < running; index++)
    await fleet.get(`/scanners/${10_000_001 + index}${variablePath}`);
  const first = (performance.now() - began) / running;
  const { resident: now } = fleet.memory;
  await fleet.end();
  return { 'first read ms': first, [resident]: now, [each]: (now - before) / running };
}

async function mixOf(fleet: Server): Promise<Record<string, number>> {
  const url = `http://127.0.0.1:${fleet.port}`;
  const command = program('fleet-mix', url, '10000001', String(mixed), String(mixSeconds));
  const load = await ChildProgram.start({ core: cores.load, command });
  const before = cpuSeconds(fleet.pid);
  const figures = await load.ask('measure');
  const busy = ((cpuSeconds(fleet.pid) - before) / mixSeconds) * 100;
  await load.end();
  const { resident: now } = fleet.memory;
  await fleet.end();
  if (!isObject(figures)) throw new Error('figures were expected');
  const numbers = Object.entries(figures).map(([figure, value]) => [figure, Number(value)]);
  return { ...Object.fromEntries(numbers), 'server busy %': busy, [resident]: now };
}

async function oneByOne(bench: Bench, round: number): Promise<Record<string, number>> {
  const scanners: Server[] = [];
  for (let index = 0; index < processes; index++) {
    scanners.push(
      await startScanner(bench, `alone-${round}-${index}`, [
        '--https-port',
        '0',
        '--search-port',
        '0',
        '--no-dns-sd',
      ]),
    );
  }
  const memory = scanners.reduce((sum, scanner) => sum + scanner.memory.resident, 0);
  const starts = scanners.reduce((sum, scanner) => sum + scanner.firstResponse, 0);
  await Promise.all(scanners.map((scanner) => scanner.end()));
  return { [ready]: starts / processes, [resident]: memory, [each]: memory / processes };
}

/**
 * Reads by the port of the fleet, of one scanner among 1000 and of all of them in turn, compared with a scanner that is alone in its
 * process.
 */
async function readsOf(bench: Bench) {
  const fleet = await startFleet(bench, running, 'reads');
  const scanner = await startScanner(bench, 'fleet-alone');
  const single = await readOf(bench, scanner, [variablePath]);
  const one = await compareThroughput(bench, [await readOf(bench, fleet, [pathInFleet]), single], [1, 16]);
  const inTurn = { ...(await readOf(bench, fleet, allPaths)), server: { name: `${name}, all in turn` } };
  const all = await compareThroughput(bench, [inTurn, single], [16]);
  await Promise.all([fleet.end(), scanner.end()]);
  return { one, all };
}

const pathOf = (index: number) => `/scanners/${10_000_001 + index}${variablePath}`;
const allPaths = Array.from({ length: running }, (_, index) => pathOf(index));
/** Of one scanner among 1000. */
const pathInFleet = pathOf(499);

async function readOf(bench: Bench, server: Server, paths: readonly string[]): Promise<Subject> {
  // All run before they are measured.
  let body = '';
  for (const path of paths) body = await server.get(path);
  return {
    server,
    load: (connections, seconds) => get(bench, server, { paths, body }, { connections, seconds }),
  };
}
