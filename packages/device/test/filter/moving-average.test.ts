import { describe, expect, test } from 'vitest';
import { MovingAverage } from '../../src/filter/moving-average.js';
import { distancesOf, type Echo, echoesOf, fan, filterWhole, scanOf } from './hand-made-scan.js';

/** Results for these scans of one beam, with these numbers. Undefined for a scan without a result. */
function averages(
  depth: number,
  scans: readonly (readonly Echo[])[],
  numbers: readonly number[] = scans.map((_, index) => 7 + index),
): (number[] | undefined)[] {
  const average = new MovingAverage(fan(1), depth);
  return scans.map((echoes, index) => {
    const scan = scanOf([echoes], { number: numbers[index] ?? 0 });
    return filterWhole(average, scan) ? distancesOf(scan)[0] : undefined;
  });
}

const averaged = (depth: number, scans: readonly (readonly Echo[])[]) => averages(depth, scans).at(-1);

describe('the moving average', () => {
  test.each([2, 3, 4])('has its first result with scan %i, if so many make an average', (depth) => {
    const seen = averages(depth, [[[1000]], [[1000]], [[1000]], [[1000]]]);
    expect(seen.findIndex((result) => result !== undefined)).toBe(depth - 1);
  });

  test.each([
    { depth: 2, mean: 1550 }, // (1500 + 1600) / 2
    { depth: 3, mean: 1400 }, // (1100 + 1500 + 1600) / 3
    { depth: 4, mean: 1300 }, // (1000 + 1100 + 1500 + 1600) / 4
  ])('averages over the last $depth scans', ({ depth, mean }) => {
    expect(averaged(depth, [[[9000]], [[1000]], [[1100]], [[1500]], [[1600]]])).toEqual([mean]);
  });

  // Depth 4. The published example: seven scans of the points 3 to 8, and the four results, in whole mm.
  test('gives all results of the published example', () => {
    const scans = [
      [1100, 1100, 1150, 1150, 1380, 1380],
      [1200, 1200, 1190, 950, 1500, 1500],
      [1150, 1450, 1200, 1200, 1450, 1450],
      [1170, 1170, 1220, 1220, 1470, 1150],
      [0, 1110, 1150, 1150, 1380, 1380],
      [1200, 1210, 1190, 0, 1500, 1500],
      [1150, 0, 1200, 1200, 1450, 1450],
    ];
    const average = new MovingAverage(fan(6), 4);
    const results = scans.map((distances, index) => {
      const scan = scanOf(
        distances.map((distance): Echo[] => (distance === 0 ? [] : [[distance]])),
        { number: index + 1 },
      );
      return filterWhole(average, scan)
        ? [scan.number, distancesOf(scan).map(([mm = 0]) => Math.round(mm))]
        : [];
    });
    expect(results).toEqual([
      [],
      [],
      [],
      [1, [1155, 1230, 1190, 1130, 1450, 1370]],
      [2, [1173, 1233, 1190, 1130, 1450, 1370]],
      [3, [1173, 1235, 1190, 1190, 1450, 1370]],
      [4, [1173, 1163, 1190, 1190, 1450, 1370]],
    ]);
  });

  test('averages what was measured, not what was averaged', () => {
    expect(averaged(2, [[[1000]], [[2000]], [[4000]], [[8000]]])).toEqual([6000]);
  });

  test('leaves scans without an echo out of the mean, also this one', () => {
    expect(averaged(4, [[[1000]], [], [], [[1300]]])).toEqual([1150]);
    expect(averaged(3, [[[1000]], [[1200]], []])).toEqual([1100]);
  });

  test('has no echo where none of the scans has one', () => {
    expect(averaged(2, [[[1000]], [], []])).toEqual([]);
  });

  test('averages each place for itself', () => {
    expect(
      averaged(2, [
        [[1000], [3000], [5000]],
        [[1200], [3600], [5100]],
      ]),
    ).toEqual([1100, 3300, 5050]);
    expect(averaged(3, [[[1000], [3000]], [[1300]], [[1000], [4000]]])).toEqual([1100, 3500]);
  });

  test('keeps each beam for itself, with strength and flags of the newest echo at its place', () => {
    const average = new MovingAverage(fan(3), 3);
    filterWhole(average, scanOf([[[1000, 1, 1]], [[7000, 2, 2]], [[3000, 8, 2]]], { number: 1 }));
    filterWhole(average, scanOf([[[1000, 5, 1]], [[7000, 6, 1]], [[3000, 9, 1]]], { number: 2 }));
    const scan = scanOf([[[2200, 300, 2]], [[7300, 400, 0]], []], { number: 3 });
    filterWhole(average, scan);
    expect(echoesOf(scan)).toEqual([[[1400, 300, 2]], [[7100, 400, 0]], [[3000, 9, 1]]]);
  });

  test('a result has the number of the first scan that went in, and the time of the last', () => {
    const average = new MovingAverage(fan(1), 3);
    const [first, second, third] = [5, 6, 7].map((number) => {
      const scan = scanOf([[[1000]]], { number });
      scan.time = number * 50_000;
      filterWhole(average, scan);
      return scan;
    });
    expect([first?.number, second?.number, third?.number]).toEqual([5, 6, 5]);
    expect(third?.time).toBe(350_000);
  });

  test('does not change a beam whose means would not be in ascending order', () => {
    // 9000 alone, then 1000 and 4000: the means would be 5000 and 4000.
    expect(averaged(2, [[[9000]], [[1000], [4000]]])).toEqual([1000, 4000]);
    // Values are the same in the second and third place: 500, 6500, 5000.
    expect(
      averaged(2, [
        [[500], [9000]],
        [[500], [4000], [5000]],
      ]),
    ).toEqual([500, 4000, 5000]);
    // The newest scan with an echo counts, because this one has none: 5000 and 4000 would be the means.
    expect(averaged(3, [[[9000]], [[1000], [4000]], []])).toEqual([1000, 4000]);
  });

  test('continues to average such a beam afterwards', () => {
    expect(averaged(2, [[[9000]], [[1000], [4000]], [[1200], [4200]]])).toEqual([1100, 4100]);
  });

  test('gives no echo to a beam that is invalid', () => {
    const average = new MovingAverage(fan(1), 2);
    filterWhole(average, scanOf([[[1000]]], { number: 1 }));
    const scan = scanOf([[[1000]]], { number: 2 });
    scan.invalidate(0);
    filterWhole(average, scan);
    expect(distancesOf(scan)).toEqual([[]]);
  });

  test('goes on over missing scans, as long as they are fewer than its depth', () => {
    const scans: Echo[][] = [[[1000]], [[1300]], [[1600]], [[1900]], [[2200]]];
    expect(averages(3, scans, [1, 2, 5, 6, 9])).toEqual([undefined, undefined, [1300], [1600], [1900]]);
  });

  test.each([
    { what: 'as many missing scans as its depth', numbers: [1, 2, 6, 7] },
    { what: 'the same number again', numbers: [1, 2, 2, 3] },
    { what: 'a step back', numbers: [5, 6, 1, 2] },
  ])('begins anew after $what', ({ numbers }) => {
    const scans: Echo[][] = [[[1000]], [[1200]], [[1400]], [[1600]]];
    const none = undefined;
    expect(averages(3, scans, numbers)).toEqual([none, none, none, none]);
    const [last = 0] = numbers.slice(-1);
    expect(averages(3, [...scans, [[1800]]], [...numbers, last + 1]).at(-1)).toEqual([1600]);
  });

  test('does what docs/filters.md describes', () => {
    const scans: Echo[][] = [
      [[1000]],
      [[1100], [3000]],
      [[1500]],
      [[1600], [3200]],
      [],
      [[9000]],
      [[2000], [2500]],
    ];
    expect(averages(3, scans)).toEqual([
      undefined,
      undefined,
      [1200, 3000],
      [1400, 3100],
      [1550, 3200],
      [9000],
      [2000, 2500],
    ]);
  });
});
