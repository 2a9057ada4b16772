import { expect } from 'vitest';
import { Health } from '../../support/health.js';
import type { ScannerProcess } from '../../support/scanner-process.js';
import { until } from '../../support/waiting.js';
import { Besetting } from './besetting.js';
import type { Category } from './category.js';
import type { Extent } from './extent.js';
import { Calm, Lane } from './lane.js';
import type { Tally } from './tally.js';

const lanes = 8;
const roundMilliseconds = 1000;
/** More than this (MB) from one part of the run to the next is a leak. */
const mostGrowth = 64;

interface Target {
  readonly port: number;
  /** Whether a refusal may be a status line and nothing else. */
  readonly mayBeBare?: boolean;
  readonly categories: readonly Category[];
  /** What brings the scanner back between rounds, whatever was sent. */
  readonly between: () => Promise<void>;
}

/**
 * Besets one port of a scanner in rounds, up to an extent.
 * @throws where the log tells of an error of the scanner's own, where memory grows or connections stay open.
 */
export async function besetInRounds(
  scanner: ScannerProcess,
  { seed, inputs, seconds, again }: Extent,
  { port, mayBeBare, categories, between }: Target,
): Promise<Tally> {
  const health = new Health(scanner);
  const filesBefore = health.openFiles;
  const calm = new Calm(scanner);
  const besetting = new Besetting({
    lanes: Array.from({ length: lanes }, () => new Lane(port, calm, mayBeBare)),
    categories,
    seed,
  });
  const end = performance.now() + seconds * 1000;
  try {
    for (let round = 0; performance.now() < end && besetting.cases < inputs; round++) {
      await besetting.round(round, { milliseconds: roundMilliseconds, cases: inputs });
      health.check();
      await between();
    }
  } catch (error) {
    throw new Error(`${again}\n${scanner.log.slice(-2000)}`, { cause: error });
  }
  console.log(
    `${again}: ${besetting.cases} inputs\n${besetting.tally}\nmemory ${health.memory.map(Math.round).join(' ')} MB`,
  );
  await until(() => health.openFiles <= filesBefore + 3);
  expect(health.growth, health.memory.join(' ')).toBeLessThan(mostGrowth);
  return besetting.tally;
}
