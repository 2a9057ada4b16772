import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '@azimuth/fleet/database';
import { isObject } from '../json.js';
import { Latencies } from '../load/latencies.js';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { cpuSeconds } from '../proc.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { PostgresCluster, postgresPrograms } from '../processes/postgres-cluster.js';
import { PostgresFleet } from '../processes/postgres-fleet.js';
import { statementsIn } from '../processes/postgres-upserts.js';
import { ratio } from '../statistics.js';

const title = 'Many scanners on several processes, with PostgreSQL';
const scanners = 10_000;
const first = 10_001;
/** Number of scanners that get requests; all of them have been switched on before. */
const requestedScanners = 200;
const [workerCount, gatewayCount] = [3, 2];
/** Numbers of workers under the same load. */
const sizes = [1, 2, 3, 6] as const;
/** Requests a second of that load. Each save is a challenge and a save. */
const [readsPerSecond, savesPerSecond] = [300, 50];
/** Most rounds: one takes minutes. */
const mostRounds = 3;
/** ms after which nothing is saved any more, except by a request. */
const settlingTime = 10_000;
const log = { info() {}, warn() {}, error() {} };

/** Documents of many scanners, without owners. */
const bareTable = `CREATE TABLE bare (serial text, name text, content bytea COMPRESSION lz4, PRIMARY KEY (serial, name))`;
const bareUpsert = {
  name: 'bare-upsert',
  text: `INSERT INTO bare (serial, name, content) VALUES ($1, $2, $3)
    ON CONFLICT (serial, name) DO UPDATE SET content = excluded.content`,
};

const savedIn = (inFlight: number) => `saves, ${inFlight} in flight`;
const upsertedIn = (inFlight: number) => `bare upserts of the same bytes, ${inFlight} in flight`;
const perRequest = 'server CPU µs/request';
const perSave = 'statements/save';

/** 10,000 scanners over workers and gateways: memory, start, requests, saves, events, and what more workers cost. */
export async function measureFleetPostgres(bench: Bench): Promise<Measurement> {
  if (postgresPrograms() === undefined) {
    const notes = ['left out: PostgreSQL is not installed (Debian: apt-get install postgresql)'];
    return { name: 'fleet-postgres', title, rows: [], ratios: [], targets: [], notes };
  }
  const rounds = Math.min(bench.rounds, mostRounds);
  const collected = new Map<string, Collected>();
  const at = (condition: string) => {
    const one = collected.get(condition) ?? new Collected('azimuth worker and gateway', condition);
    collected.set(condition, one);
    return one;
  };
  const cluster = await PostgresCluster.start();
  try {
    for (let round = 0; round < rounds; round++) {
      const progress = (what: string) => bench.progress(`round ${round + 1} of ${rounds}: ${what}`);
      const inRound = { ...bench, progress };
      const fleet = await PostgresFleet.apply(inRound, cluster, { count: scanners, serial: '1####' });
      const database = new Database({ url: fleet.url, log, program: 'azimuth bench' });
      await fleet.startGateways(gatewayCount);
      await measureFleet({ bench: inRound, fleet, database, at });
      for (const size of sizes) at(workers(size)).add(await ofSize(inRound, fleet, database, size));
      await database.close();
      await fleet.end();
    }
  } finally {
    await cluster.remove();
  }
  const ratioOf = (figure: string, of: string, to: string) => ({
    name: `${of} to ${to}: ${figure}`,
    spread: ratio(at(of).values(figure), at(to).values(figure)),
  });
  const ratios = [1, 16].flatMap((inFlight) =>
    ['p50 ms', 'p99 ms'].map((figure) => ratioOf(figure, savedIn(inFlight), upsertedIn(inFlight))),
  );
  const growth = [perRequest, perSave].flatMap((figure) =>
    sizes.slice(1).map((size) => ratioOf(figure, workers(size), workers(1))),
  );
  return {
    name: 'fleet-postgres',
    title,
    rows: [...collected.values()].map(({ row }) => row),
    ratios: [...ratios, ...growth],
    targets: growth.map(({ name, spread }) => atMost(name, '', 1.1, spread.median)),
    notes: [
      'workers and gateways share one core, the load has the other; the database may use both',
      `CPU of a request: that of workers and gateways, without that of as many seconds without any request`,
      `statements a save: transactions of the database, without those of as many seconds without any request, for each save`,
      `the load of 1 to 6 workers: ${readsPerSecond} reads and ${savesPerSecond} saves a second, of ${requestedScanners} scanners`,
    ],
  };
}

const workers = (count: number) => `${count} worker${count === 1 ? '' : 's'}, the same load`;

interface FleetBench {
  readonly bench: Bench;
  readonly fleet: PostgresFleet;
  readonly database: Database;
  readonly at: (condition: string) => Collected;
}

/** All scanners over three workers. */
async function measureFleet({ bench, fleet, database, at }: FleetBench): Promise<void> {
  const { seconds, progress } = bench;
  progress('start');
  const started = await fleet.startWorkers(workerCount);
  await fleet.shared();
  const load = await startLoad(fleet);
  // They are switched on, and the code is compiled.
  for (const question of ['save 16 10', 'read 16 10']) await figuresOf(load, question);
  const resident = (servers: PostgresFleet['workers']) =>
    servers.map(({ memory }) => memory.resident).reduce((sum, one) => sum + one, 0) / servers.length;
  at(`${scanners} scanners, ${workerCount} workers, ${gatewayCount} gateways`).add({
    'all run ms': started,
    'worker MB': resident(fleet.workers),
    'gateway MB': resident(fleet.gateways),
  });
  progress('reads');
  const before = cpuOf(fleet);
  const reads = await figuresOf(load, `read 16 ${seconds}`);
  const after = cpuOf(fleet);
  at('reads, 16 connections').add({
    'requests/s': reads.operations / reads.seconds,
    'p50 ms': reads.p50,
    'p99 ms': reads.p99,
    'gateway CPU µs/request': ((after.gateways - before.gateways) * 1e6) / reads.operations,
    'worker CPU µs/request': ((after.workers - before.workers) * 1e6) / reads.operations,
  });
  const documents = await documentsIn(database);
  await database.query({ name: 'bare-table', text: bareTable });
  await upserts(database, documents, 16, 0.5);
  for (const inFlight of [1, 16]) {
    progress(savedIn(inFlight));
    const saves = await figuresOf(load, `save ${inFlight} ${seconds}`);
    at(savedIn(inFlight)).add({
      'p50 ms': saves.p50,
      'p99 ms': saves.p99,
      'saves/s': saves.operations / saves.seconds,
    });
    at(upsertedIn(inFlight)).add(await upserts(database, documents, inFlight, seconds));
  }
  progress('events');
  const events = await figuresOf(load, `event 1 ${seconds}`);
  at('event of a write, by the other gateway').add({ 'p50 ms': events.p50, 'p99 ms': events.p99 });
  await load.end();
  await fleet.endWorkers();
}

/** Measures the load over a number of workers. */
async function ofSize(
  { seconds, progress }: Bench,
  fleet: PostgresFleet,
  database: Database,
  size: number,
): Promise<Record<string, number>> {
  progress(workers(size));
  await fleet.startWorkers(size);
  await fleet.shared();
  const load = await startLoad(fleet);
  const time = Math.max(10, 5 * seconds);
  // All scanners that will get requests are switched on. Each worker has had as many requests, so that its code is
  // compiled.
  await figuresOf(load, `save 16 ${5 * size}`);
  await figuresOf(load, `read 16 ${5 * size}`);
  // Scanners that were just switched on save their operating counters by themselves.
  await pause(settlingTime);
  const [idleFrom, idleStatements] = [cpuOf(fleet), await statementsIn(database)];
  await pause(time * 1000);
  const [from, statements] = [cpuOf(fleet), await statementsIn(database)];
  const figures = await figuresOf(load, `rate ${readsPerSecond} ${savesPerSecond} ${time}`);
  const [to, lastStatements] = [cpuOf(fleet), await statementsIn(database)];
  await load.end();
  await fleet.endWorkers();
  const { operations: reads, saves } = figures;
  const requests = reads + 2 * saves;
  const busy = to.gateways + to.workers - from.gateways - from.workers;
  const idle = from.gateways + from.workers - idleFrom.gateways - idleFrom.workers;
  return {
    'requests/s': requests / figures.seconds,
    [perRequest]: ((busy - idle) * 1e6) / requests,
    'CPU ms/s without requests': (idle * 1e3) / time,
    [perSave]: (lastStatements - statements - (statements - idleStatements)) / saves,
    'statements/s without requests': (statements - idleStatements) / time,
    'save p50 ms': figures.saveP50,
    'save p99 ms': figures.saveP99,
  };
}

function startLoad({ gateways }: PostgresFleet): Promise<ChildProgram> {
  const ports = gateways.map(({ port }) => port).join();
  const command = program('fleet-requests', String(first), String(requestedScanners), ports);
  return ChildProgram.start({ core: cores.load, command });
}

/** Seconds so far. */
function cpuOf({ gateways, workers: all }: PostgresFleet) {
  const sum = (servers: typeof all) => servers.reduce((seconds, { pid }) => seconds + cpuSeconds(pid), 0);
  return { gateways: sum(gateways), workers: sum(all) };
}

const figureNames = ['seconds', 'operations', 'p50', 'p99', 'saves', 'saveP50', 'saveP99'] as const;

async function figuresOf(
  load: ChildProgram,
  question: string,
): Promise<Readonly<Record<(typeof figureNames)[number], number>>> {
  const figures = await load.ask(question);
  const figure = (name: (typeof figureNames)[number]) =>
    isObject(figures) ? Number(figures[name]) : Number.NaN;
  return {
    seconds: figure('seconds'),
    operations: figure('operations'),
    p50: figure('p50'),
    p99: figure('p99'),
    saves: figure('saves'),
    saveP50: figure('saveP50'),
    saveP99: figure('saveP99'),
  };
}

type Saved = Readonly<{ serial: string; name: string; content: Buffer }>;

/** Returns the stored parameters of the scanners. */
function documentsIn(database: Database): Promise<readonly Saved[]> {
  return database.query<Saved>({
    name: 'documents',
    text: `SELECT serial, name, content FROM azimuth.documents WHERE name = 'parameters.json' AND content IS NOT NULL`,
  });
}

/** Bare upserts of documents, from this process. */
async function upserts(
  database: Database,
  documents: readonly Saved[],
  inFlight: number,
  seconds: number,
): Promise<Record<string, number>> {
  const latencies = new Latencies();
  const until = performance.now() + seconds * 1000;
  let turn = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < until) {
        const document = documents[turn++ % documents.length];
        if (document === undefined) throw new Error('no scanner has saved anything');
        const sent = performance.now();
        await database.query(bareUpsert, [document.serial, document.name, document.content]);
        latencies.add(performance.now() - sent);
      }
    }),
  );
  return {
    'p50 ms': latencies.quantile(0.5),
    'p99 ms': latencies.quantile(0.99),
    'saves/s': latencies.total / seconds,
  };
}
