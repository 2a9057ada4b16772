import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { describe, expect, test } from 'vitest';
import { type Arrival, analysed, beat, cameUp } from './beat.js';

const seconds = 15;
/** When the first telegram arrives, in ms. */
const begins = cameUp + 12_000;
/** ppm that the clock of the scanner is too fast. */
const planted = 400;

/** Delays (ms) at a time since the first telegram (ms): never less than none. */
type Delays = (time: number) => number;

/** The drift that is measured through these delays. */
function measured(delays: Delays) {
  const arrivals = beat({ seconds, clock: (time) => time * (1 + planted * 1e-6) });
  const delayed = arrivals.map((arrival): Arrival => {
    const at = arrival.at + delays(arrival.at - begins);
    return { ...arrival, at };
  });
  const drift = analysed(delayed).report().streams[0]?.drift;
  if (drift === undefined) throw new Error('no drift was measured');
  return { error: Math.abs(drift.ppm + planted), uncertainty: drift.uncertainty };
}

/** Delays as of a busy computer: of a quarter of a second each, and of each telegram. */
function busy(random: () => number): Delays {
  const late = Array.from({ length: 4 * seconds + 1 }, () => -0.1 * Math.log(1 - random()));
  return (time) => (late[Math.floor(time / 250)] ?? 0) - 0.05 * Math.log(1 - random());
}

function randomOf(seed: number): () => number {
  const random = new SeededRandom(`${seed}`);
  return () => random.fraction();
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

describe('the drift of a clock', () => {
  test('is exact over a quiet network', () => {
    const { error, uncertainty } = measured(() => 0);
    expect(error).toBeLessThan(0.5);
    expect(uncertainty).toBeLessThan(1);
  });

  test.each(seeds)('is found on a busy computer (%i)', (seed) => {
    const { error, uncertainty } = measured(busy(randomOf(seed)));
    expect(error).toBeLessThan(6);
    expect(uncertainty).toBeLessThan(20);
  });

  test.each(seeds)('is not turned by telegrams that wait for seconds (%i)', (seed) => {
    const random = randomOf(seed);
    const usual = busy(random);
    // The last third is busier than the rest: all that is late is late at one end.
    const { error } = measured((time) => usual(time) + (time > 10_000 && time < 14_000 ? 0.5 + random() : 0));
    expect(error).toBeLessThan(12);
  });

  test.each(seeds)('has an uncertainty that knows of slow changes of the delays (%i)', (seed) => {
    const usual = busy(randomOf(seed));
    const { error, uncertainty } = measured((time) => usual(time) + 0.6 * Math.exp(-time / 3000));
    expect(error).toBeLessThan(uncertainty);
    expect(uncertainty).toBeLessThan(100);
  });

  test('has an uncertainty that knows of delays that grow and shrink again and again', () => {
    const { error, uncertainty } = measured((time) => 1 + Math.sin(time / 1500));
    expect(error).toBeLessThan(uncertainty);
  });
});
