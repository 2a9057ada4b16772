import { describe, expect, test } from 'vitest';
import { DistanceFilter } from '../../src/region-of-interest/distance-filter.js';
import { radialSpans } from '../../src/region-of-interest/radial-distance.js';
import { distancesOf, type Echo, echoesOf, fan, scanOf } from '../filter/hand-made-scan.js';

function filtered(ulDistMin: number, ulDistMax: number, beams: readonly (readonly Echo[])[]) {
  const scan = scanOf(beams);
  new DistanceFilter(radialSpans(fan(beams.length), { bEnable: true, ulDistMin, ulDistMax })).apply(scan);
  return scan;
}

describe('the radial distance filter', () => {
  test('keeps what is between its distances, both included', () => {
    const scan = filtered(1000, 2000, [[[999.5]], [[1000]], [[1500]], [[2000]], [[2000.5]], []]);
    expect(distancesOf(scan)).toEqual([[], [1000], [1500], [2000], [], []]);
  });

  test('closes gaps', () => {
    const beam: Echo[] = [
      [500, 1, 1],
      [1500, 2, 2],
      [2500, 3, 3],
    ];
    expect(echoesOf(filtered(1000, 9000, [beam]))).toEqual([
      [
        [1500, 2, 2],
        [2500, 3, 3],
      ],
    ]);
    expect(echoesOf(filtered(1000, 2000, [beam]))).toEqual([[[1500, 2, 2]]]);
  });

  test('keeps one distance where both are the same, and nothing where they are crossed', () => {
    expect(distancesOf(filtered(1500, 1500, [[[1499]], [[1500]]]))).toEqual([[], [1500]]);
    expect(distancesOf(filtered(2000, 1000, [[[999]], [[1500]], [[2001]]]))).toEqual([[], [], []]);
  });

  test('keeps everything from 0 on', () => {
    expect(distancesOf(filtered(0, 200_000, [[[0.5]], [[200_000]]]))).toEqual([[0.5], [200_000]]);
  });
});
