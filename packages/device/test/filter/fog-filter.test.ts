import { describe, expect, test } from 'vitest';
import { FogFilter } from '../../src/filter/scan-filter.js';
import { distancesOf, echoesOf, scanOf } from './hand-made-scan.js';

describe('the fog filter', () => {
  // 0.02 × 65535 = 1310.7. At 5 m a strength counts 1.25 times, at 10 m twice, at 15 m 3.25 times.
  test('takes out what shines less than two hundredths at its distance', () => {
    const scan = scanOf([
      [[5000, 1048]],
      [[5000, 1049]],
      [[10_000, 655]],
      [[10_000, 656]],
      [[15_000, 403]],
      [[15_000, 404]],
    ]);
    new FogFilter().apply(scan);
    expect(distancesOf(scan)).toEqual([[], [5000], [], [10_000], [], [15_000]]);
  });

  test('leaves everything from 20 m on', () => {
    const scan = scanOf([[[19_999, 1]], [[20_000, 1]], [[20_001, 1]]]);
    new FogFilter().apply(scan);
    expect(distancesOf(scan)).toEqual([[], [20_000], [20_001]]);
  });

  test('brings to the front what was seen through fog', () => {
    const scan = scanOf([
      [
        [2000, 300],
        [4000, 500, 2],
        [9000, 20_000, 1],
      ],
      [
        [2000, 9000],
        [4000, 500],
        [25_000, 3],
      ],
    ]);
    new FogFilter().apply(scan);
    expect(echoesOf(scan)).toEqual([
      [[9000, 20_000, 1]],
      [
        [2000, 9000, 0],
        [25_000, 3, 0],
      ],
    ]);
  });
});
