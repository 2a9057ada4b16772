import { describe, expect, test } from 'vitest';
import { MovingAverage } from '../../src/filter/moving-average.js';
import { distancesOf, type Echo, echoesOf, fan, scanOf } from './hand-made-scan.js';

/** What becomes of the last one of these scans of one beam, with consecutive numbers. */
function averaged(depth: number, scans: readonly (readonly Echo[])[]): number[] {
  const average = new MovingAverage(fan(1), depth);
  let last: number[] = [];
  for (const [index, echoes] of scans.entries()) {
    const scan = scanOf([echoes], { number: 7 + index });
    average.apply(scan);
    last = distancesOf(scan)[0] ?? [];
  }
  return last;
}

describe('the moving average', () => {
  test('does not change the first scan', () => {
    expect(averaged(3, [[[1000]]])).toEqual([1000]);
  });

  test('averages over what there is until it has as many scans as it wants', () => {
    expect(averaged(4, [[[1000]], [[1100]]])).toEqual([1050]);
    expect(averaged(4, [[[1000]], [[1100]], [[1500]]])).toEqual([1200]);
  });

  test.each([
    { depth: 2, mean: 1550 }, // (1500 + 1600) / 2
    { depth: 3, mean: 1400 }, // (1100 + 1500 + 1600) / 3
    { depth: 4, mean: 1300 }, // (1000 + 1100 + 1500 + 1600) / 4
  ])('averages over the last $depth scans', ({ depth, mean }) => {
    expect(averaged(depth, [[[9000]], [[1000]], [[1100]], [[1500]], [[1600]]])).toEqual([mean]);
  });

  test('averages what was measured, not what was averaged', () => {
    expect(averaged(2, [[[1000]], [[2000]], [[4000]], [[8000]]])).toEqual([6000]);
  });

  test('leaves scans without an echo out of the mean', () => {
    expect(averaged(4, [[[1000]], [], [], [[1300]]])).toEqual([1150]);
  });

  test('invents no echo', () => {
    expect(averaged(3, [[[1000]], [[1000]], []])).toEqual([]);
    expect(averaged(3, [[[1000], [2000]], [[1200]]])).toEqual([1100]);
  });

  test('averages each place for itself', () => {
    expect(
      averaged(2, [
        [[1000], [3000], [5000]],
        [[1200], [3600], [5100]],
      ]),
    ).toEqual([1100, 3300, 5050]);
  });

  test('keeps each beam for itself, with strength and flags of the scan', () => {
    const average = new MovingAverage(fan(2), 2);
    average.apply(scanOf([[[1000, 1, 1]], [[7000, 2, 2]]], { number: 1 }));
    const scan = scanOf([[[2000, 300, 2]], [[7100, 400, 0]]], { number: 2 });
    average.apply(scan);
    expect(echoesOf(scan)).toEqual([[[1500, 300, 2]], [[7050, 400, 0]]]);
  });

  test('does not change a beam whose means would not be in ascending order', () => {
    // 9000 alone, then 1000 and 4000: the means would be 5000 and 4000.
    expect(averaged(2, [[[9000]], [[1000], [4000]]])).toEqual([1000, 4000]);
    // The same in the second and third place: 500, 6500, 5000.
    expect(
      averaged(2, [
        [[500], [9000]],
        [[500], [4000], [5000]],
      ]),
    ).toEqual([500, 4000, 5000]);
  });

  test('continues to average such a beam afterwards', () => {
    expect(averaged(2, [[[9000]], [[1000], [4000]], [[1200], [4200]]])).toEqual([1100, 4100]);
  });

  test.each([
    { what: 'a gap', numbers: [1, 2, 4] },
    { what: 'the same number again', numbers: [1, 2, 2] },
    { what: 'a step back', numbers: [5, 6, 1] },
  ])('forgets what was before $what in the numbers', ({ numbers }) => {
    const average = new MovingAverage(fan(1), 3);
    const seen = numbers.map((number, index) => {
      const scan = scanOf([[[1000 + 200 * index]]], { number });
      average.apply(scan);
      return distancesOf(scan)[0];
    });
    expect(seen).toEqual([[1000], [1100], [1400]]);
  });

  test('does what docs/filters.md describes', () => {
    const average = new MovingAverage(fan(1), 3);
    const scans: readonly [number: number, echoes: readonly Echo[]][] = [
      [7, [[1000]]],
      [8, [[1100], [3000]]],
      [9, [[1500]]],
      [10, [[1600], [3200]]],
      [12, [[1300]]],
      [13, [[9000]]],
      [14, [[2000], [2500]]],
    ];
    const seen = scans.map(([number, echoes]) => {
      const scan = scanOf([echoes], { number });
      average.apply(scan);
      return distancesOf(scan)[0];
    });
    expect(seen).toEqual([[1000], [1050, 3000], [1200], [1400, 3100], [1300], [5150], [2000, 2500]]);
  });

  test('fills up again after a gap', () => {
    const average = new MovingAverage(fan(1), 2);
    const seen = [1, 2, 3, 9, 10, 11].map((number) => {
      const scan = scanOf([[[1000 * number]]], { number });
      average.apply(scan);
      return distancesOf(scan)[0];
    });
    expect(seen).toEqual([[1000], [1500], [2500], [9000], [9500], [10_500]]);
  });
});
