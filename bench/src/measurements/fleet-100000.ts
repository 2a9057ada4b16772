import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { variablePath } from '../compared-servers.js';
import { Connection } from '../load/connection.js';
import { challengeRequest, login } from '../load/rest-messages.js';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { cpuSeconds } from '../proc.js';
import { root } from '../processes/child-program.js';
import { Server } from '../processes/server.js';

const name = 'azimuth fleet';
const scanners = 100_000;
/** Scanners that are asked for a challenge each. */
const asked = 10_000;
const first = 10_000_001;
/** Seconds without requests. */
const restSeconds = 20;
/** Seconds after the last challenge. */
const afterSeconds = 60;
/** Challenges under way at the same time. */
const lanes = 8;
/** One round takes minutes. */
const mostRounds = 1;

const ready = 'ready ms';
const readyCpu = 'CPU s until ready';
const resident = 'resident MB';
const idle = 'idle: % of a core';
const left = 'left behind, KB each';
const startCpu = 'CPU ms each';

/** Pages about the whole fleet, each asked twice: what is made for the first response, and what for the next. */
const pages = [
  '/fleet',
  '/metrics',
  '/scanners?limit=50&from=90000',
  '/scanners?state=running&limit=50',
  '/scanners?q=100999*&limit=50',
  '/site?limit=50',
  '/site?q=10099&limit=50',
  '/site?q=1&limit=50',
  '/site?q=scanners&limit=50',
  '/site?sort=name&limit=50',
  '/site?sort=serialNumber&order=desc&limit=50',
  '/scanners?q=*7&limit=50',
  '/scanners?q=*99997&limit=50',
] as const;

/** 100,000 scanners in one process: start, memory, rest, pages about all of them, and what 10,000 challenges leave behind. */
export async function measureFleetHundredThousand(bench: Bench): Promise<Measurement> {
  const at = new Collected(name, `${scanners} scanners`);
  const ofPages = pages.map((page) => new Collected(name, page));
  const challenged = new Collected(name, `one getChallenge to each of ${asked}`);
  for (let round = 0; round < Math.min(bench.rounds, mostRounds); round++) {
    bench.progress(`${scanners} scanners`);
    const fleet = await start(bench, round);
    const untilReady = cpuSeconds(fleet.pid);
    await pause(3000);
    const before = cpuSeconds(fleet.pid);
    await pause(restSeconds * 1000);
    const busy = ((cpuSeconds(fleet.pid) - before) / restSeconds) * 100;
    const quiet = fleet.memory.resident;
    at.add({ [ready]: fleet.firstResponse, [readyCpu]: untilReady, [resident]: quiet, [idle]: busy });
    for (const [index, page] of pages.entries()) ofPages[index]?.add(await pageOf(fleet, page));
    bench.progress(challenged.condition);
    const [from, cpu] = [fleet.memory.resident, cpuSeconds(fleet.pid)];
    await challengeAll(fleet.port);
    const perStart = ((cpuSeconds(fleet.pid) - cpu) * 1000) / asked;
    const peak = fleet.memory.resident;
    await pause(afterSeconds * 1000);
    const { resident: now } = fleet.memory;
    challenged.add({
      [startCpu]: perStart,
      'MB after the last one': peak,
      'MB after a minute': now,
      [left]: ((now - from) * 1000) / asked,
    });
    await fleet.end();
  }
  return {
    name: 'fleet-100000',
    title: '100,000 scanners in one process',
    rows: [at, ...ofPages, challenged].map(({ row }) => row),
    ratios: [],
    targets: [
      atMost('100,000 scanners', 'ms until ready', 8000, at.median(ready)),
      atMost('100,000 scanners', 'MB', 400, at.median(resident)),
      atMost('100,000 scanners that nobody asks', '% of a core', 1.5, at.median(idle)),
      atMost('each of 10,000 after a challenge and a minute', 'KB', 30, challenged.median(left)),
    ],
    notes: [],
  };
}

function start(bench: Bench, round: number): Promise<Server> {
  const command = join(root, 'packages', 'cli', 'bin', 'azimuth.js');
  const data = join(bench.folder, `fleet-100000-${round}`);
  const words = ['fleet', 'run', '--json', '--count', String(scanners), '--data', data];
  return Server.start(bench, {
    name,
    command: (port) => [process.execPath, command, ...words, '--port', String(port)],
    path: '/fleet',
  });
}

/** CPU time of the first response, and of one a moment later, when nothing is cached any more. */
async function pageOf(fleet: Server, page: string): Promise<Record<string, number>> {
  const cost = async () => {
    const before = cpuSeconds(fleet.pid);
    await fleet.get(page);
    return (cpuSeconds(fleet.pid) - before) * 1000;
  };
  const once = await cost();
  // Another scanner has changed since.
  await fleet.get(`/scanners/${first + Math.floor(Math.random() * scanners)}${variablePath}`);
  await pause(1500);
  return { 'first: CPU ms': once, 'after a change: CPU ms': await cost() };
}

async function challengeAll(port: number): Promise<void> {
  const failed = (error: Error): never => {
    throw error;
  };
  const lane = async (from: number) => {
    const connection = await Connection.open(port, failed);
    for (let index = from; index < asked; index += lanes)
      await connection.request(challengeRequest(login.user, `/scanners/${first + index}`));
    connection.close();
  };
  await Promise.all(Array.from({ length: lanes }, (_, from) => lane(from)));
}
