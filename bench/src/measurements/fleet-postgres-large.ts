import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '@azimuth/fleet/database';
import { variablePath } from '../compared-servers.js';
import { isObject } from '../json.js';
import { atMost, type Bench, Collected, type Measurement, type Ratio } from '../measurement.js';
import { cpuSeconds } from '../proc.js';
import { BareProxies } from '../processes/bare-proxies.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { countsStatements, readCounts, statementCounts } from '../processes/counted-statements.js';
import { PostgresCluster, postgresPrograms } from '../processes/postgres-cluster.js';
import { PostgresFleet } from '../processes/postgres-fleet.js';
import { BareUpserts } from '../processes/postgres-upserts.js';
import type { Server } from '../processes/server.js';
import { ratio } from '../statistics.js';

const name = 'fleet-postgres-large';
const title = '50,000 scanners over six workers and three gateways, with PostgreSQL';
/** Numbers of scanners: the cost of a save must not depend on them. */
const sizes = [5000, 50_000] as const;
const [workerCount, gatewayCount] = [6, 3];
/** Scanners that get requests. */
const requestedScanners = 120;
const first = 100_001;
/** One round takes some seconds for each figure. */
const mostRounds = 5;
/** ms after which nothing is saved any more, except by a request: scanners that were just started save their counters. */
const settlingTime = 10_000;

const perRequest = 'CPU µs/request';
const perSave = 'statements/save';
const besideSaves = 'other statements/s';
const half = 'p50 ms';

/** The load of saves and reads, in turns with the same by what a user could write in a page of code. */
export async function measureFleetPostgresLarge(bench: Bench): Promise<Measurement> {
  if (postgresPrograms() === undefined) {
    const notes = ['left out: PostgreSQL is not installed (Debian: apt-get install postgresql)'];
    return { name, title, rows: [], ratios: [], targets: [], notes };
  }
  const found = new Map<string, Collected>();
  const at = (condition: string, subject = 'azimuth worker and gateway') => {
    const one = found.get(condition) ?? new Collected(subject, condition);
    found.set(condition, one);
    return one;
  };
  const cluster = await PostgresCluster.start([countsStatements]);
  try {
    for (const size of sizes) await measureSize(bench, cluster, size, at);
  } finally {
    await cluster.remove();
  }
  const [small, large] = sizes;
  const saves: Ratio = {
    name: 'a save of one of 50,000 to a bare upsert: p50',
    spread: ratio(at(savesOf(large)).values(half), at(upsertsBeside(large)).values(half)),
  };
  const statements: Ratio = {
    name: 'statements of a save, one of 50,000 to one of 5000',
    spread: ratio(at(savesOf(large)).values(perSave), at(savesOf(small)).values(perSave)),
  };
  const gateways: Ratio = {
    name: 'a gateway to a bare node:http proxy: CPU of a read',
    spread: ratio(at(readsOf(large)).values(perRequest), at(proxied(large)).values(perRequest)),
  };
  return {
    name,
    title,
    rows: [...found.values()].map(({ row }) => row),
    ratios: [saves, statements, gateways],
    targets: [
      atMost(saves.name, '', 3, saves.spread.median),
      atMost(statements.name, '', 1.1, statements.spread.median),
      atMost(gateways.name, '', 2, gateways.spread.median),
    ],
    notes: [
      'workers and gateways share one core, the load has the other; the database may use both',
      'a save is POST WriteEeprom through a gateway, one at a time; the bare upsert writes the same bytes by a plain pg client',
      'statements are counted by their texts: those that write documents, and all others, as of leases and starts',
      'CPU time is without that of as many seconds without any request',
      'there are as many bare proxies as gateways: several processes that share a core need more CPU time for each request',
      'the servers behind the bare proxies send constant bytes; only the CPU time of the proxies counts',
    ],
  };
}

const savesOf = (size: number) => `${size} scanners: saves`;
const upsertsBeside = (size: number) => `${size} scanners: bare upserts by pg`;
const readsOf = (size: number) => `${size} scanners: reads, 16 connections, by three gateways`;
const proxied = (size: number) => `${size} scanners: the same reads, by three bare proxies`;

async function measureSize(
  bench: Bench,
  cluster: PostgresCluster,
  size: number,
  at: (condition: string, subject?: string) => Collected,
): Promise<void> {
  const { seconds } = bench;
  const progress = (what: string) => bench.progress(`${size} scanners: ${what}`);
  progress('start');
  const fleet = await PostgresFleet.apply(bench, cluster, { count: size, serial: '1#####' });
  await fleet.startGateways(gatewayCount);
  const started = await fleet.startWorkers(workerCount);
  await fleet.shared();
  const database = new Database({ url: fleet.url, log: silent, program: 'azimuth bench' });
  const load = await loadOn(fleet.gateways.map(({ port }) => port));
  await readCounts(database);
  // Until the code of each process is compiled.
  for (const question of ['save 16 15', 'read 16 6']) await figuresOf(load, question);
  const resident = (servers: readonly Server[]) =>
    servers.reduce((sum, { memory }) => sum + memory.resident, 0) / servers.length;
  at(`${size} scanners, six workers, three gateways`).add({
    'all run ms': started,
    'worker MB': resident(fleet.workers),
    'gateway MB': resident(fleet.gateways),
  });
  const upserts = await BareUpserts.open(fleet.url, database);
  const [gateway] = fleet.gateways;
  const body = (await gateway?.get(`/scanners/${first}${variablePath}`)) ?? '';
  const proxies = await BareProxies.start(bench, { count: gatewayCount, path: variablePath, body });
  const proxyLoad = await loadOn(proxies.ports);
  await figuresOf(proxyLoad, 'read 16 6');
  await pause(settlingTime);
  for (let round = 0; round < Math.min(bench.rounds, mostRounds); round++) {
    progress(`round ${round + 1}`);
    const idle = await idling(fleet.gateways, seconds);
    const from = await statementCounts(database);
    const saves = await figuresOf(load, `save 1 ${seconds}`);
    const to = await statementCounts(database);
    at(savesOf(size)).add({
      [half]: saves.p50,
      'p99 ms': saves.p99,
      [perSave]: (to.saving - from.saving) / saves.operations,
      [besideSaves]: (to.others - from.others) / saves.seconds,
    });
    at(upsertsBeside(size), 'pg').add(await upserts.measure(seconds));
    const before = cpuOf(fleet.gateways);
    const reads = await figuresOf(load, `read 16 ${seconds}`);
    at(readsOf(size)).add({
      [perRequest]: ((cpuOf(fleet.gateways) - before - idle) * 1e6) / reads.operations,
      'requests/s': reads.operations / reads.seconds,
      [half]: reads.p50,
    });
    const proxyBefore = cpuOf(proxies.servers);
    const others = await figuresOf(proxyLoad, `read 16 ${seconds}`);
    at(proxied(size), 'node:http').add({
      [perRequest]: ((cpuOf(proxies.servers) - proxyBefore) * 1e6) / others.operations,
      'requests/s': others.operations / others.seconds,
      [half]: others.p50,
    });
  }
  await Promise.all([load.end(), proxyLoad.end(), proxies.end(), upserts.close()]);
  await database.close();
  await fleet.end();
}

/** Seconds of CPU time of these servers, in as many seconds without any request. */
async function idling(servers: readonly Server[], seconds: number): Promise<number> {
  const before = cpuOf(servers);
  await pause(seconds * 1000);
  return cpuOf(servers) - before;
}

const silent = { info() {}, warn() {}, error() {} };

function loadOn(ports: readonly number[]): Promise<ChildProgram> {
  const command = program('fleet-requests', String(first), String(requestedScanners), ports.join());
  return ChildProgram.start({ core: cores.load, command });
}

function cpuOf(servers: readonly Server[]): number {
  return servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
}

async function figuresOf(load: ChildProgram, question: string) {
  const figures = await load.ask(question);
  if (!isObject(figures)) throw new Error('figures were expected');
  const { seconds, operations, p50, p99 } = figures;
  return { seconds: Number(seconds), operations: Number(operations), p50: Number(p50), p99: Number(p99) };
}
