import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { cpuSeconds, memory } from '../proc.js';
import { root } from '../processes/child-program.js';
import { Server } from '../processes/server.js';
import { sceneOf } from '../raycast/scene.js';
import { mostLag } from '../streams/arrivals.js';
import { Receiver } from '../streams/receiver.js';
import { linesOfScene } from '../streams/scanners.js';

const name = 'azimuth fleet';
/** What is compared: as many streaming scanners as a core bears, the same over two processes, and as many in each of them. */
const conditions = [
  { scanners: 90, processes: 1 },
  { scanners: 90, processes: 2 },
  { scanners: 180, processes: 2 },
] as const;

/** The performance profile with 50 Hz and 0.25°, and its telegrams: five segments a revolution. */
const profile = 8;
const telegramsPerSecond = 250;

/** Most rounds: each starts all scanners anew. */
const mostRounds = 5;
const lengths = 4;
/** s: the longest wait until all scanners send, and the pause behind it. */
const patience = 60;
const settled = 2;

const lag = 'lag p99 ms';
const sent = 'sent %';
const busy = 'cores used';

/** As many streaming scanners as one process bears, the same number over two, and twice as many. */
export async function measureFleetProcesses(bench: Bench): Promise<Measurement> {
  const rounds = Math.min(bench.rounds, mostRounds);
  const seconds = bench.seconds * lengths;
  const all = conditions.map(({ scanners, processes }) => ({
    scanners,
    processes,
    collected: new Collected(
      name,
      `${scanners} scanners in ${processes} process${processes === 1 ? '' : 'es'}`,
    ),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { scanners, processes, collected } of all) {
      bench.progress(`round ${round + 1} of ${rounds}: ${collected.condition}`);
      collected.add(await stream({ bench, scanners, processes, seconds, round }));
    }
  }
  return {
    name: 'fleet-processes',
    title: `Scanners of a fleet that stream 50 Hz, 0.25°, as Compact over UDP, ${seconds} s each`,
    rows: all.map(({ collected }) => collected.row),
    ratios: [],
    // The processes and the receiver need a core each to be in time.
    targets: all
      .filter(({ processes }) => processes < availableParallelism())
      .flatMap(({ collected }) => [
        atMost(`${collected.condition}: ${lag.replace(' ms', '')}`, 'ms', mostLag, collected.median(lag)),
        atLeast(`${collected.condition}: sent`, '%', 99, collected.median(sent)),
      ]),
    notes: [
      'each starts with the fleet and sends from its power-on on, in a hall of 200 lines, noise included',
      `one process has a core of its own; two may use all ${availableParallelism()} cores, and the receiver has one of them: with fewer than 3 cores, they share it with the receiver, and are not judged`,
      'cores used: CPU time of all processes of the fleet, that of the port with them',
    ],
  };
}

interface Streaming {
  readonly bench: Bench;
  readonly scanners: number;
  readonly processes: number;
  readonly seconds: number;
  readonly round: number;
}

async function stream({ bench, scanners: count, processes, seconds, round }: Streaming) {
  const receiver = await Receiver.start(count);
  const fleet = await start(bench, processes, receiver.ports, round);
  try {
    await untilAllSend(receiver, count);
    await pause(settled * 1000);
    const before = cpuSeconds(fleet.pid);
    await receiver.clear();
    const begun = performance.now();
    await pause(seconds * 1000);
    const result = await receiver.result();
    const passed = (performance.now() - begun) / 1000;
    const used = (cpuSeconds(fleet.pid) - before) / passed;
    const telegrams = result.telegrams + result.lost;
    return {
      'lag p50 ms': result.lagP50,
      [lag]: result.lagP99,
      [`later than ${mostLag} ms %`]: (result.late / result.telegrams) * 100,
      'most ms': result.lagMost,
      senders: result.senders,
      [sent]: (telegrams / (count * telegramsPerSecond * passed)) * 100,
      'lost %': (result.lost / telegrams) * 100,
      [busy]: used,
      'µs a telegram': (used * passed * 1e6) / telegrams,
      'resident MB': memory(fleet.pid).resident,
    };
  } finally {
    // In this order: the scanners must not send to closed ports.
    await fleet.end();
    await receiver.end();
  }
}

/** A fleet whose scanners are delivered with a stream, each to a port of its own. */
function start(bench: Bench, processes: number, ports: readonly number[], round: number): Promise<Server> {
  const folder = join(bench.folder, `streaming-${ports.length}-${processes}-${round}`);
  const scene = `${folder}.scene.json`;
  writeFileSync(scene, JSON.stringify(sceneOf(linesOfScene)));
  const groups = ports.map((port, index) => {
    const settings = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port };
    const parameters = {
      PerformanceProfileNumber: profile,
      ScanDataEthSettings: settings,
      ScanDataEnable: true,
    };
    return [`s${index}`, { count: 1, serial: '########', first: 10_000_001 + index, scene, parameters }];
  });
  const file = `${folder}.yaml`;
  // JSON is YAML, too.
  writeFileSync(file, JSON.stringify({ groups: Object.fromEntries(groups) }));
  const command = join(root, 'packages', 'cli', 'bin', 'azimuth.js');
  const words = ['fleet', 'run', file, '--json', '--data', folder, '--processes', String(processes)];
  return Server.start(bench, {
    name,
    command: (port) => [process.execPath, command, ...words, '--port', String(port)],
    path: '/fleet',
    // Several processes may use all cores.
    isPinned: processes === 1,
  });
}

/** @throws Error if some do not send in time */
async function untilAllSend(receiver: Receiver, count: number): Promise<void> {
  const deadline = performance.now() + patience * 1000;
  for (;;) {
    const { senders } = await receiver.result();
    if (senders === count) return;
    if (performance.now() > deadline) throw new Error(`${senders} of ${count} scanners stream`);
    await pause(100);
  }
}
