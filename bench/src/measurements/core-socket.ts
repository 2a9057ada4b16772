import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Scanner } from '@azimuth/client';
import { startScanner } from '../compared-servers.js';
import { type Delays, delaysIn, LatencyProgram } from '../core-socket/latency.js';
import { Latencies } from '../load/latencies.js';
import { login } from '../load/rest-messages.js';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { cpuSeconds, sharedClock } from '../proc.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores, end } from '../processes/children.js';
import { inRounds } from '../statistics.js';
import { configure } from '../streams/streaming-scanner.js';

const title = 'A core in another process, in C: 50 Hz, 1105 beams, 3 echoes, segments as Compact over UDP';

/** ms. */
const wanted = { p50: 0.3, p99: 2 } as const;
/** Percent of a core. */
const wantedBusy = 2;

/** Each round needs new processes. */
const mostRounds = 5;
const lengths = 4;
/** ms until what runs 250 times a second is compiled. */
const warmup = 20_000;

const written = 'written to received';
const firstSegment = 'first beam to received, less its segment';
const busy = 'busy %';
const names = (of: string) => ({ p50: `${of}: p50 ms`, p99: `${of}: p99 ms`, most: `${of}: most ms` });

interface Subject {
  readonly collected: Collected;
  readonly measure: () => Promise<Record<string, number>>;
}

/** How late segments of a core in another process leave the scanner, and what the core socket costs. */
export async function measureCoreSocket(bench: Bench): Promise<Measurement> {
  const latency = LatencyProgram.compile(bench.folder);
  if (latency === undefined) {
    const notes = ['left out: there is no compiler for C (Debian: apt-get install gcc libc6-dev)'];
    return { name: 'core-socket', title, rows: [], ratios: [], targets: [], notes };
  }
  const rounds = Math.min(bench.rounds, mostRounds);
  const inC = new Collected('azimuth serve', 'a core in C at --core-socket');
  const inProcess = new Collected('azimuth serve', 'the same scans of a core in its process');
  const alone = new Collected('the core socket alone', 'a core in C');
  const subjects: readonly Subject[] = [
    { collected: inC, measure: () => measureScanner(bench, latency) },
    { collected: inProcess, measure: () => measureInProcess(bench, latency) },
    { collected: alone, measure: () => measureBridge(bench, latency) },
  ];
  await inRounds(subjects, rounds, async ({ collected, measure }, round) => {
    bench.progress(`round ${round + 1} of ${rounds}: ${collected.subject}, ${collected.condition}`);
    collected.add(await measure());
  });
  const limits = [written, firstSegment].flatMap((of) => [
    atMost(names(of).p50, 'ms', wanted.p50, inC.median(names(of).p50)),
    atMost(names(of).p99, 'ms', wanted.p99, inC.median(names(of).p99)),
  ]);
  return {
    name: 'core-socket',
    title,
    rows: [inC.row, inProcess.row, alone.row],
    ratios: [],
    targets: [
      ...limits,
      atMost('segments lost', '', 0, Math.max(...inC.values('lost'))),
      atMost('the core socket alone: busy', '% of a core', wantedBusy, alone.median(busy)),
    ],
    notes: [
      'written: when the core has handed the last byte of a segment to the socket; received: when a receiver in C has its datagram',
      'the core socket alone: it receives, checks and puts together all scans, and nobody uses them. The rest of the CPU time of azimuth serve is for filters, telegrams and streams',
    ],
  };
}

async function measureScanner(bench: Bench, latency: LatencyProgram): Promise<Record<string, number>> {
  const [socket, times, arrivals] = ['core.sock', 'core-times', 'arrivals'].map((name) =>
    join(bench.folder, name),
  );
  if (socket === undefined || times === undefined || arrivals === undefined) throw new Error('no files');
  const server = await startScanner(bench, 'core-socket', ['--core-socket', socket]);
  const core = latency.core(socket, times);
  const receiver = await latency.receiver(arrivals);
  await streamTo(server.port, receiver.port);
  const { from, to, usage } = await measured(bench, server.pid);
  await end(core);
  await server.end();
  await end(receiver.child);
  return { ...figuresOf(delaysIn(times, arrivals, from, to)), [busy]: usage };
}

async function measureInProcess(bench: Bench, latency: LatencyProgram): Promise<Record<string, number>> {
  const [, path = ''] = program('parts-core');
  const server = await startScanner(bench, 'parts-core', ['--core', path]);
  const receiver = await latency.receiver(join(bench.folder, 'arrivals-in-process'));
  await streamTo(server.port, receiver.port);
  const { usage } = await measured(bench, server.pid);
  await server.end();
  await end(receiver.child);
  return { [busy]: usage };
}

async function measureBridge(bench: Bench, latency: LatencyProgram): Promise<Record<string, number>> {
  const socket = join(bench.folder, 'bridge.sock');
  const bridge = await ChildProgram.start({ core: cores.server, command: program('bridge', socket) });
  const core = latency.core(socket, join(bench.folder, 'bridge-times'));
  const { usage } = await measured(bench, bridge.pid);
  await end(core);
  await bridge.end();
  return { [busy]: usage };
}

async function streamTo(http: number, port: number): Promise<void> {
  const scanner = new Scanner({ url: `http://127.0.0.1:${http}`, ...login });
  await configure(scanner, [port]);
  await scanner.write('ScanDataEnable', true);
  await scanner.close();
}

/** Lets a process work, and measures its CPU time in percent of a core. */
async function measured({ seconds }: Bench, pid: number) {
  await setTimeout(warmup);
  const from = sharedClock();
  const before = cpuSeconds(pid);
  await setTimeout(seconds * lengths * 1000);
  const to = sharedClock();
  return { from, to, usage: ((cpuSeconds(pid) - before) / (to - from)) * 1e5 };
}

function figuresOf({ afterWriting, afterFirstSegment, lost }: Delays): Record<string, number> {
  return {
    ...quantilesOf(written, afterWriting),
    ...quantilesOf(firstSegment, afterFirstSegment),
    segments: afterWriting.length,
    lost,
  };
}

function quantilesOf(of: string, delays: readonly number[]): Record<string, number> {
  const latencies = new Latencies();
  for (const delay of delays) latencies.add(Math.max(0, delay));
  const { p50, p99, most } = names(of);
  return {
    [p50]: latencies.quantile(0.5),
    [p99]: latencies.quantile(0.99),
    [most]: delays.reduce((most, delay) => Math.max(most, delay), 0),
  };
}
