import type { ValueOf } from '@azimuth/model';
import { removeEchoes, type ScanFilter } from '../filter/scan-filter.js';
import type { ScanGeometry } from '../scan/scan.js';
import { beamFan, echoesPerBeam, type Scan } from '../scan/scan.js';

/** A range of distances for each beam in mm; empty if `nearest` is above `furthest`. */
interface DistanceRanges {
  readonly nearest: Float64Array;
  readonly furthest: Float64Array;
}

/** Keeps the echoes whose distance is in the range of their beam, both ends included. */
export class DistanceFilter implements ScanFilter {
  readonly #ranges: DistanceRanges;

  constructor(ranges: DistanceRanges) {
    this.#ranges = ranges;
  }

  apply(scan: Scan, first: number, end: number): number {
    const { distance } = scan;
    const { nearest, furthest } = this.#ranges;
    for (let beam = first; beam < end; beam++) {
      const near = nearest[beam] ?? 0;
      const far = furthest[beam] ?? 0;
      let removed = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = distance[beam * echoesPerBeam + echo] ?? 0;
        if (d === 0) break;
        if (d < near || d > far) removed |= 1 << echo;
      }
      if (removed !== 0) removeEchoes(scan, beam, removed);
    }
    return end;
  }
}

/** Distance (mm) up to which a point counts as on a side, because the cosine of 90° is not exactly 0. */
const rounding = 0.001;

/**
 * LFPcubicareafilter: the points at which each beam enters and leaves the rectangle from lXMin to lXMax and from lYMin
 * to lYMax, in mm in the coordinates of the scanner: x ahead, y to the left. Its sides belong to it. If a minimum is
 * above its maximum, nothing is inside. lZMin and lZMax have no effect.
 */
export function cuboidRanges(
  geometry: ScanGeometry,
  { lXMin, lXMax, lYMin, lYMax }: ValueOf<'LFPcubicareafilter'>,
): DistanceRanges {
  const { x, y } = beamFan(geometry);
  const ranges = {
    nearest: new Float64Array(geometry.beams),
    furthest: new Float64Array(geometry.beams).fill(Number.POSITIVE_INFINITY),
  };
  narrow(ranges, x, lXMin, lXMax);
  narrow(ranges, y, lYMin, lYMax);
  return ranges;
}

/**
 * Narrows the ranges to the part between two planes, `low` and `high` mm from the scanner along an axis. A beam parallel to
 * the planes meets them at ±∞, with the signs that put it completely inside or outside.
 * @param direction component of each beam along the axis
 */
function narrow(
  { nearest, furthest }: DistanceRanges,
  direction: Float64Array,
  low: number,
  high: number,
): void {
  for (let beam = 0; beam < direction.length; beam++) {
    // `+ 0` turns -0 into 0: -0 would change the signs of both infinities.
    const along = (direction[beam] ?? 0) + 0;
    const toLow = (low - rounding) / along;
    const toHigh = (high + rounding) / along;
    nearest[beam] = Math.max(nearest[beam] ?? 0, along < 0 ? toHigh : toLow);
    furthest[beam] = Math.min(furthest[beam] ?? 0, along < 0 ? toLow : toHigh);
  }
}

/** LFPradialDistanceRangeFilter: the same range of distances for every beam. */
export function radialRanges(
  { beams }: ScanGeometry,
  { ulDistMin, ulDistMax }: ValueOf<'LFPradialDistanceRangeFilter'>,
): DistanceRanges {
  return {
    nearest: new Float64Array(beams).fill(ulDistMin),
    furthest: new Float64Array(beams).fill(ulDistMax),
  };
}
