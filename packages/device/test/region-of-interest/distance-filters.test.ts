import { describe, expect, test } from 'vitest';
import { cuboidRanges, DistanceFilter, radialRanges } from '../../src/region-of-interest/distance-filters.js';
import type { ScanGeometry } from '../../src/scan/scan.js';
import { distancesOf, type Echo, echoesOf, fan, filterWhole, scanOf } from '../filter/hand-made-scan.js';

const vast = {
  bEnable: true,
  lXMin: -200_000,
  lXMax: 200_000,
  lYMin: -200_000,
  lYMax: 200_000,
  lZMin: -200_000,
  lZMax: 200_000,
};
/** Right (-90°), ahead (0°) and left (90°). */
const cross = fan(3, { firstAngle: -90, step: 90 });

interface Case {
  readonly cuboid?: Partial<typeof vast>;
  readonly geometry?: ScanGeometry;
}

function filtered(beams: readonly (readonly Echo[])[], { cuboid, geometry = cross }: Case) {
  const scan = scanOf(beams, { geometry });
  filterWhole(new DistanceFilter(cuboidRanges(geometry, { ...vast, ...cuboid })), scan);
  return scan;
}

const at1000: Echo[][] = [[[1000]], [[1000]], [[1000]]];

describe('the cuboid filter', () => {
  test('keeps what is inside, closing gaps', () => {
    const beams: Echo[][] = [
      [],
      [
        [500, 1, 1],
        [1500, 2, 2],
        [2500, 3, 3],
      ],
      [],
    ];
    expect(echoesOf(filtered(beams, { cuboid: { lXMin: 1000, lXMax: 2000 } }))[1]).toEqual([[1500, 2, 2]]);
  });

  test('counts its sides in', () => {
    const beams: Echo[][] = [[], [[1000], [2000], [2000.5]], []];
    expect(distancesOf(filtered(beams, { cuboid: { lXMin: 1000, lXMax: 2000 } }))[1]).toEqual([1000, 2000]);
    expect(distancesOf(filtered(beams, { cuboid: { lXMin: 1001, lXMax: 1999 } }))[1]).toEqual([]);
  });

  test.each([
    { axis: 'x, from the scanner on', cuboid: { lXMin: 0 }, kept: [[1000], [1000], [1000]] },
    { axis: 'x, up to the scanner', cuboid: { lXMax: 0 }, kept: [[1000], [], [1000]] },
    { axis: 'x, beyond the scanner', cuboid: { lXMin: 1 }, kept: [[], [1000], []] },
    { axis: 'x, behind the scanner', cuboid: { lXMax: -1 }, kept: [[], [], []] },
    { axis: 'y, from the scanner on', cuboid: { lYMin: 0 }, kept: [[], [1000], [1000]] },
    { axis: 'y, up to the scanner', cuboid: { lYMax: 0 }, kept: [[1000], [1000], []] },
    { axis: 'y, to the left', cuboid: { lYMin: 1000 }, kept: [[], [], [1000]] },
    { axis: 'y, to the right', cuboid: { lYMax: -1000 }, kept: [[1000], [], []] },
  ])('cuts along $axis', ({ cuboid, kept }) => {
    expect(distancesOf(filtered(at1000, { cuboid }))).toEqual(kept);
  });

  test.each([
    { cuboid: { lXMin: 1, lXMax: 0 } },
    { cuboid: { lYMin: 1, lYMax: 0 } },
    { cuboid: { lXMin: 2000, lXMax: 500 } },
    { cuboid: { lXMin: 5, lXMax: -5 } },
    { cuboid: { lYMin: 2000, lYMax: -2000 } },
  ])('keeps nothing where it is crossed: $cuboid', ({ cuboid }) => {
    expect(distancesOf(filtered(at1000, { cuboid }))).toEqual([[], [], []]);
  });

  test('cuts slanting beams', () => {
    // 3-4-5: at atan(3/4) an echo at 5000 is at x 4000, y 3000.
    const geometry = fan(1, { firstAngle: (Math.atan2(3, 4) * 180) / Math.PI });
    const beams: Echo[][] = [[[4900], [5000], [5100]]];
    const kept = (cuboid: Case['cuboid'] = {}) => distancesOf(filtered(beams, { cuboid, geometry }))[0];
    expect(kept({ lXMax: 4000 })).toEqual([4900, 5000]);
    expect(kept({ lXMin: 4000 })).toEqual([5000, 5100]);
    expect(kept({ lYMax: 3000 })).toEqual([4900, 5000]);
    expect(kept({ lYMin: 3000 })).toEqual([5000, 5100]);
    expect(kept({ lXMin: 4000, lXMax: 4000, lYMin: 3000, lYMax: 3000 })).toEqual([5000]);
    // Axes are in order: a beam leaves by x before it comes in by y.
    expect(kept({ lXMax: 3930, lYMin: 3000 })).toEqual([]);
  });

  test.each([{ lZMin: 1 }, { lZMax: -1 }, { lZMin: 1, lZMax: -1 }])('has no height: %j', (cuboid) => {
    expect(distancesOf(filtered(at1000, { cuboid }))).toEqual(at1000.map(() => [1000]));
  });

  test('keeps everything around, also behind the scanner, if it is large', () => {
    const geometry = fan(8, { firstAngle: -180, step: 45 });
    const beams: Echo[][] = Array.from({ length: 8 }, () => [[10], [1000], [120_000]]);
    expect(distancesOf(filtered(beams, { geometry }))).toEqual(beams.map(() => [10, 1000, 120_000]));
  });
});

function filteredRadially(ulDistMin: number, ulDistMax: number, beams: readonly (readonly Echo[])[]) {
  const scan = scanOf(beams);
  filterWhole(
    new DistanceFilter(radialRanges(fan(beams.length), { bEnable: true, ulDistMin, ulDistMax })),
    scan,
  );
  return scan;
}

describe('the radial distance filter', () => {
  test('keeps what is between its distances, both included', () => {
    const scan = filteredRadially(1000, 2000, [[[999.5]], [[1000]], [[1500]], [[2000]], [[2000.5]], []]);
    expect(distancesOf(scan)).toEqual([[], [1000], [1500], [2000], [], []]);
  });

  test('closes gaps', () => {
    const beam: Echo[] = [
      [500, 1, 1],
      [1500, 2, 2],
      [2500, 3, 3],
    ];
    expect(echoesOf(filteredRadially(1000, 9000, [beam]))).toEqual([
      [
        [1500, 2, 2],
        [2500, 3, 3],
      ],
    ]);
    expect(echoesOf(filteredRadially(1000, 2000, [beam]))).toEqual([[[1500, 2, 2]]]);
  });

  test('keeps one distance if both limits are the same, and nothing if they are swapped', () => {
    expect(distancesOf(filteredRadially(1500, 1500, [[[1499]], [[1500]]]))).toEqual([[], [1500]]);
    expect(distancesOf(filteredRadially(2000, 1000, [[[999]], [[1500]], [[2001]]]))).toEqual([[], [], []]);
  });

  test('keeps everything from 0 on', () => {
    expect(distancesOf(filteredRadially(0, 200_000, [[[0.5]], [[200_000]]]))).toEqual([[0.5], [200_000]]);
  });
});
