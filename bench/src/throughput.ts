import type { LoadResult } from './load/jobs.js';
import type { Bench } from './measurement.js';
import { atLeast, Collected, type Ratio, type Row, type Target } from './measurement.js';
import { inRounds, median, ratio } from './statistics.js';

/** Names of figures. */
const perSecond = 'ops/s';
const serverCost = 'server µs/op';
const waiting = 'waited for a core %';

/** Percent of waiting above which other programs have influenced the result. */
const muchWaiting = 10;

/** A server and its load. */
export interface Subject {
  readonly server: { readonly name: string };
  readonly load: (connections: number, seconds: number) => Promise<LoadResult>;
}

/** The first subject compared with another. */
export interface Comparison {
  readonly connections: number;
  /** Operations a second of the first divided by those of the other. */
  readonly rate: Ratio;
  /** CPU time of the other server divided by that of the first: above 1, the first needs less. */
  readonly cpu: Ratio;
  /** True if other programs used so much of the cores that the rates are unreliable. */
  readonly disturbed: boolean;
}

export interface Throughput {
  readonly rows: readonly Row[];
  readonly comparisons: readonly Comparison[];
  readonly notes: readonly string[];
}

/** Puts the same load on each server, one after the other, at each number of connections. */
export async function compareThroughput(
  bench: Bench,
  subjects: readonly Subject[],
  numbers: readonly number[],
): Promise<Throughput> {
  // The code of a server is compiled during its first load, which does not count.
  for (const { load } of subjects) await load(16, bench.seconds);
  const rows: Row[] = [];
  const comparisons: Comparison[] = [];
  const notes: string[] = [];
  for (const connections of numbers) {
    const [first, ...others] = await underLoad(bench, subjects, connections);
    if (first === undefined) throw new Error('there is nobody to compare');
    rows.push(first.row, ...others.map(({ row }) => row));
    comparisons.push(...others.map((other) => comparisonOf(first, other, connections)));
    if ([first, ...others].some(isDisturbed)) {
      notes.push(
        `${first.condition}: other programs took part of the cores; operations for the same CPU time tell more then`,
      );
    }
  }
  return { rows, comparisons, notes };
}

async function underLoad(
  bench: Bench,
  subjects: readonly Subject[],
  connections: number,
): Promise<Collected[]> {
  const condition = connections === 1 ? '1 connection' : `${connections} connections`;
  const turns = subjects.map(({ server, load }) => ({
    load,
    collected: new Collected(server.name, condition),
  }));
  await inRounds(turns, bench.rounds, async ({ load, collected }, round) => {
    bench.progress(`${condition}, round ${round + 1} of ${bench.rounds}: ${collected.subject}`);
    collected.add(figuresOf(await load(connections, bench.seconds)));
  });
  return turns.map(({ collected }) => collected);
}

function comparisonOf(first: Collected, other: Collected, connections: number): Comparison {
  const rate = ratio(first.values(perSecond), other.values(perSecond));
  const cpu = ratio(other.values(serverCost), first.values(serverCost));
  const names = `${first.subject} to ${other.subject}, ${first.condition}`;
  return {
    connections,
    disturbed: isDisturbed(first) || isDisturbed(other),
    rate: { name: `${names}: ${perSecond}`, spread: rate },
    cpu: { name: `${names}: operations for the same CPU time of the server`, spread: cpu },
  };
}

function isDisturbed(collected: Collected): boolean {
  return median(collected.values(waiting)) > muchWaiting;
}

/**
 * The target for the first subject at more than one connection, as a share of the other. There the server's CPU time
 * is the limit, so if other programs took part of the core, the ratio of CPU times replaces the ratio of rates.
 */
export function targetsOf(comparisons: readonly Comparison[], wanted: number): Target[] {
  return comparisons
    .filter(({ connections }) => connections > 1)
    .map(({ rate, cpu, disturbed }) => (disturbed ? cpu : rate))
    .map(({ name, spread }) => atLeast(name, '', wanted, spread.median));
}

export function ratiosOf(comparisons: readonly Comparison[]): Ratio[] {
  return comparisons
    .flatMap(({ rate, cpu }) => [rate, cpu])
    .filter(({ spread }) => spread.values.every(Number.isFinite));
}

function figuresOf(result: LoadResult): Record<string, number> {
  const { operations, seconds, p50, p99, serverCpu, loadCpu, waited } = result;
  return {
    [perSecond]: operations / seconds,
    'p50 ms': p50,
    'p99 ms': p99,
    [serverCost]: (serverCpu * 1e6) / operations,
    'server busy %': (serverCpu / seconds) * 100,
    'load busy %': (loadCpu / seconds) * 100,
    [waiting]: (waited / seconds) * 100,
  };
}
