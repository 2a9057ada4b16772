import { expect, it } from 'vitest';
import { growthOf } from './growth.js';
import { SeededRandom } from './seeded-random.js';

/** Memory after so many rounds: as much as it is given in each, and up to 20 MB that wait for the garbage collector. */
function rounds(count: number, memory: (round: number) => number): number[] {
  const random = new SeededRandom();
  return Array.from({ length: count }, (_, round) => memory(round) + random.between(0, 20));
}

it.each([28, 35, 36, 300])('finds a leak that is steady over %i rounds', (count) => {
  expect(growthOf(rounds(count, (round) => 80 + 8 * round))).toBeGreaterThan(1.4 * count);
});

it('finds a leak of a quarter of a megabyte a round, if there are enough rounds', () => {
  expect(growthOf(rounds(1000, (round) => 80 + round / 4))).toBeGreaterThan(48);
});

it('finds a leak that grows in steps', () => {
  expect(growthOf(rounds(40, (round) => 80 + 60 * Math.floor(round / 4)))).toBeGreaterThan(48);
});

it('does not take a single step for a leak, whenever it comes', () => {
  for (let at = 0; at < 28; at++)
    expect(growthOf(rounds(28, (round) => (round < at ? 80 : 140)))).toBeLessThan(48);
});

it('does not take what the garbage collector leaves for a leak', () => {
  expect(growthOf(rounds(28, () => 80))).toBeLessThan(24);
});

it('finds a leak over four rounds', () => {
  expect(growthOf([80, 180, 280, 380])).toBe(100);
});

it('tells nothing of a memory that was never looked at', () => {
  expect(growthOf([])).toBeNaN();
});
