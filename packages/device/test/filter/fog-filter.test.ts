import { describe, expect, test } from 'vitest';
import { FogFilter } from '../../src/filter/scan-filter.js';
import { distancesOf, echoesOf, filterWhole, scanOf } from './hand-made-scan.js';

describe('the fog filter', () => {
  // 0.02 × 65535 = 1310.7. At 1 m a strength counts 1.01 times, at 2 m 1.04 times.
  test('takes out what shines less than two hundredths at its distance', () => {
    const scan = scanOf([[[1000, 1297]], [[1000, 1298]], [[2000, 1260]], [[2000, 1261]]]);
    filterWhole(new FogFilter(), scan);
    expect(distancesOf(scan)).toEqual([[], [1000], [], [2000]]);
  });

  test('leaves everything from 3 m on', () => {
    const scan = scanOf([[[2999, 1]], [[3000, 1]], [[3001, 1]]]);
    filterWhole(new FogFilter(), scan);
    expect(distancesOf(scan)).toEqual([[], [3000], [3001]]);
  });

  test('brings to the front what was seen through fog', () => {
    const scan = scanOf([
      [
        [1000, 300],
        [2000, 500, 2],
        [9000, 20_000, 1],
      ],
      [
        [1000, 9000],
        [2000, 500],
        [4000, 3],
      ],
    ]);
    filterWhole(new FogFilter(), scan);
    expect(echoesOf(scan)).toEqual([
      [[9000, 20_000, 1]],
      [
        [1000, 9000, 0],
        [4000, 3, 0],
      ],
    ]);
  });
});
