import { Health } from '@azimuth/test-support/health';
import type { ScannerProcess } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import { expect } from 'vitest';
import type { Target } from './catalogue.js';
import { FuzzClient, LockRelease } from './fuzz-client.js';
import type { Outcome } from './oracle.js';

const clientCount = 8;
/** How many times as long as planned a run may take if the machine is too busy to send enough. */
export const mostTimes = 4;
/** A run has at least so many rounds, on a fast machine too: growth is judged from the second half of them. */
const leastRounds = 16;
/** If the memory grows by more than this (MB) from one part of the run to the next, it is a leak. */
export const mostGrowth = 64;

/** With this environment, the scanner ends when it leaks, even if the machine has memory left. */
export const env = { NODE_OPTIONS: '--max-old-space-size=160' };

/** How long a run lasts: as the environment says (`npm run campaign`), or short for `npm run test:long`. */
export interface Extent {
  readonly seed: number;
  /** The run ends after so many inputs or seconds, whichever comes first. */
  readonly inputs: number;
  readonly seconds: number;
  /** The environment that repeats the run. */
  readonly again: string;
}

/** @param short the extent in the tests */
export function extentOf(short: { inputs: number; seconds: number }): Extent {
  const { AZIMUTH_FUZZ_SEED, AZIMUTH_FUZZ_INPUTS, AZIMUTH_FUZZ_SECONDS } = process.env;
  const seed = Number(AZIMUTH_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const isStated = AZIMUTH_FUZZ_INPUTS !== undefined || AZIMUTH_FUZZ_SECONDS !== undefined;
  const inputs = Number(AZIMUTH_FUZZ_INPUTS ?? (isStated ? Number.POSITIVE_INFINITY : short.inputs));
  const seconds = Number(AZIMUTH_FUZZ_SECONDS ?? (isStated ? 24 * 3600 : short.seconds));
  return { seed, inputs, seconds, again: `AZIMUTH_FUZZ_SEED=${seed}` };
}

/** One kind of input. */
export interface Category {
  readonly name: string;
  /** How often it is drawn, compared with the others. */
  readonly weight: number;
  /** Sends one input. Throws if the scanner misbehaves. */
  readonly run: (
    client: FuzzClient,
    random: SeededRandom,
    catalogue: readonly Target[],
  ) => Promise<readonly Outcome[]>;
}

/** Counts the outcomes by category. */
export class OutcomeCounts {
  readonly #inputs = new Map<string, number>();
  readonly #outcomes = new Map<string, Map<string, number>>();

  add(category: string, outcomes: readonly Outcome[]): void {
    this.#inputs.set(category, this.inputs(category) + 1);
    const counts = this.#outcomes.get(category) ?? new Map<string, number>();
    for (const outcome of outcomes) counts.set(String(outcome), (counts.get(String(outcome)) ?? 0) + 1);
    this.#outcomes.set(category, counts);
  }

  inputs(category: string): number {
    return this.#inputs.get(category) ?? 0;
  }

  /** How often a status came, in one category or in all. */
  status(status: number, category?: string): number {
    const names = category === undefined ? [...this.#outcomes.keys()] : [category];
    return names.reduce((sum, name) => sum + (this.#outcomes.get(name)?.get(String(status)) ?? 0), 0);
  }

  toString(): string {
    const rows = [...this.#inputs].map(([category, inputs]) => {
      const outcomes = [...(this.#outcomes.get(category) ?? [])]
        .toSorted()
        .map(([name, n]) => `${name}:${n}`);
      return `${category.padEnd(22)}${String(inputs).padStart(8)}  ${outcomes.join(' ')}`;
    });
    return rows.join('\n');
  }
}

interface Plan {
  readonly port: number;
  /** May a refusal be a status line only? */
  readonly mayBeBare?: boolean;
  readonly categories: readonly Category[];
  readonly catalogue?: readonly Target[];
  readonly roundMilliseconds?: number;
  /** Whether the inputs cover what they shall. While they do not, the run goes on for up to `mostTimes` as long. */
  readonly isEnough?: (counts: OutcomeCounts) => boolean;
  /** Makes the scanner ready again between two rounds. */
  readonly between: (round: number) => Promise<void>;
  /** After the last round: closes what inputs may have opened, such as data streams and PTP ports. */
  readonly rest?: () => Promise<void>;
}

/**
 * Sends inputs to one port of a scanner from several clients at the same time, in rounds.
 * @throws if a reply is wrong, the log contains an internal error, memory grows, or connections stay open.
 */
export async function fuzz(
  scanner: ScannerProcess,
  { seed, inputs, seconds, again }: Extent,
  {
    port,
    mayBeBare,
    categories,
    catalogue = [],
    roundMilliseconds = 1000,
    isEnough = () => true,
    between,
    rest,
  }: Plan,
): Promise<OutcomeCounts> {
  const health = new Health(scanner);
  const filesBefore = health.openFiles;
  const locks = new LockRelease(scanner);
  const clients = Array.from({ length: clientCount }, () => new FuzzClient(port, locks, mayBeBare));
  const weighted = categories.flatMap((category) => Array<Category>(category.weight).fill(category));
  const counts = new OutcomeCounts();
  let sent = 0;

  async function keepSending(client: FuzzClient, name: string, isOver: () => boolean): Promise<void> {
    for (let number = 0; !isOver(); number++) {
      const input = `${seed}/${name}/${number}`;
      const random = new SeededRandom(input);
      const category = random.pick(weighted);
      sent++;
      client.latest = [];
      try {
        counts.add(category.name, await category.run(client, random, catalogue));
      } catch (error) {
        const parts = client.latest.map((part) => JSON.stringify(part.toString('latin1').slice(0, 4000)));
        throw new Error(`input ${sent}, ${category.name}, seed ${input}; sent:\n${parts.join('\n')}`, {
          cause: error,
        });
      }
    }
  }

  const begun = performance.now();
  const goesOn = () => {
    const passed = (performance.now() - begun) / 1000;
    return passed < seconds || (passed < mostTimes * seconds && !isEnough(counts));
  };
  try {
    for (let round = 0; sent < inputs && goesOn(); round++) {
      const endOfRound = performance.now() + roundMilliseconds;
      const enough = Math.min(inputs, sent + Math.ceil(inputs / leastRounds));
      const isOver = () => performance.now() >= endOfRound || sent >= enough;
      await Promise.all(clients.map((client, index) => keepSending(client, `${round}/${index}`, isOver)));
      for (const client of clients) client.hangUp();
      health.check();
      await between(round);
    }
  } catch (error) {
    throw new Error(`${again}\n${scanner.log.slice(-2000)}`, { cause: error });
  }
  console.log(`${again}: ${sent} inputs\n${counts}\nmemory ${health.memory.map(Math.round).join(' ')} MB`);
  await rest?.();
  await until(() => health.openFiles <= filesBefore + 3);
  expect(health.growth, health.memory.join(' ')).toBeLessThan(mostGrowth);
  return counts;
}
