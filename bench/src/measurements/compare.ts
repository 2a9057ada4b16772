import { setTimeout } from 'node:timers/promises';
import { Scanner } from '@azimuth/client';
import { startScanner, variablePath } from '../compared-servers.js';
import type { LoadResult } from '../load/jobs.js';
import { login } from '../load/rest-messages.js';
import { get, post, saving, writing } from '../loads.js';
import { type Bench, Collected, type Measurement, type Target } from '../measurement.js';
import { otherVersion } from '../other-version.js';
import { cpuSeconds } from '../proc.js';
import { root } from '../processes/child-program.js';
import type { Server } from '../processes/server.js';
import { inRounds, ratio, type Spread } from '../statistics.js';
import { Receiver } from '../streams/receiver.js';
import { configure, switchStreams, untilStreaming } from '../streams/streaming-scanner.js';

/** Fewer rounds tell too little of the spread. */
const fewestRounds = 11;

/** A version that needs more CPU time than this share of the other has lost, if the spread does not explain it. */
const worst = 1.15;

const cost = 'server µs/op';
const here = 'this version';

/** A load on one scanner. */
interface Load {
  /** µs of CPU time for each operation. */
  readonly measure: () => Promise<number>;
  readonly end?: () => Promise<void>;
}

/** A way through the scanner. */
interface Path {
  readonly name: string;
  readonly prepare: (bench: Bench, server: Server) => Promise<Load>;
}

const paths: readonly Path[] = [
  {
    name: 'read, 16 connections',
    prepare: async (bench, server) => {
      const body = await server.get(variablePath);
      const extent = { connections: 16, seconds: bench.seconds };
      return { measure: () => costOf(() => get(bench, server, { paths: [variablePath], body }, extent)) };
    },
  },
  {
    name: 'authenticated write, 16 connections',
    prepare: async (bench, server) => ({
      measure: () => costOf(() => post(bench, server, writing, { connections: 16, seconds: bench.seconds })),
    }),
  },
  ...[1, 16].map(
    (connections): Path => ({
      name: `durable save, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
      prepare: async (bench, server) => ({
        measure: () => costOf(() => post(bench, server, saving, { connections, seconds: bench.seconds })),
      }),
    }),
  ),
  { name: 'stream, a telegram', prepare: streamOf },
];

/** On a machine that is very busy, a short load may end before its first operation: then it is repeated. */
async function costOf(load: () => Promise<Pick<LoadResult, 'serverCpu' | 'operations'>>): Promise<number> {
  for (;;) {
    const { serverCpu, operations } = await load();
    if (operations > 0) return (serverCpu * 1e6) / operations;
  }
}

async function streamOf(bench: Bench, server: Server): Promise<Load> {
  const scanner = new Scanner({ url: `http://127.0.0.1:${server.port}`, ...login });
  const receiver = await Receiver.start(3);
  await configure(scanner, receiver.ports);
  const load = async () => {
    await switchStreams(scanner, true);
    await untilStreaming(receiver);
    await receiver.clear();
    const before = cpuSeconds(server.pid);
    await setTimeout(bench.seconds * 1000);
    const serverCpu = cpuSeconds(server.pid) - before;
    const { telegrams } = await receiver.result();
    await switchStreams(scanner, false);
    await receiver.clear();
    return { serverCpu, operations: telegrams };
  };
  return { measure: () => costOf(load), end: () => receiver.end() };
}

/** The CPU time of the main paths, in turns with another version of the scanner. */
export async function measureCompare(bench: Bench, reference: string | undefined): Promise<Measurement> {
  const other = otherVersion(reference, bench.progress);
  const rounds = Math.max(bench.rounds, fewestRounds);
  const ours = await startScanner(bench, 'compare-here', ['--search-port', '0'], root);
  const theirs = await startScanner(bench, 'compare-other', ['--search-port', '0'], other.tree);
  const rows: Collected[] = [];
  const ratios: { readonly name: string; readonly spread: Spread }[] = [];
  for (const { name, prepare } of paths) {
    const subjects = [
      { collected: new Collected(here, name), load: await prepare(bench, ours) },
      { collected: new Collected(other.name, name), load: await prepare(bench, theirs) },
    ];
    // The first load compiles the code, and does not count.
    for (const { load } of subjects) await load.measure();
    await inRounds(subjects, rounds, async ({ collected, load }, round) => {
      bench.progress(`${name}, round ${round + 1} of ${rounds}: ${collected.subject}`);
      collected.add({ [cost]: await load.measure() });
    });
    for (const { load } of subjects) await load.end?.();
    const [mine, its] = subjects.map(({ collected }) => collected.values(cost));
    rows.push(...subjects.map(({ collected }) => collected));
    ratios.push({
      name: `${name}: CPU time of ${here} to ${other.name}`,
      spread: ratio(mine ?? [], its ?? []),
    });
  }
  await Promise.all([ours.end(), theirs.end()]);
  return {
    name: 'compare',
    title: `CPU time of the server, compared with ${other.name}, ${rounds} rounds in turns`,
    rows: rows.map(({ row }) => row),
    ratios,
    targets: ratios.map(notWorse),
    notes: [],
  };
}

/** Missed by a loss of more than 15 % that three of four rounds show. */
function notWorse({ name, spread }: { readonly name: string; readonly spread: Spread }): Target {
  const lowerQuarter = spread.values.toSorted((a, b) => a - b)[Math.floor(spread.values.length / 4)] ?? 0;
  const reached = spread.median <= worst || lowerQuarter <= 1;
  return { name, unit: '', atMost: worst, found: spread.median, reached };
}
