import type { ValueOf } from '@azimuth/model';
import type { ScanGeometry } from '../scan/scan-geometry.js';
import type { BeamSpans } from './distance-filter.js';

/** LFPradialDistanceRangeFilter: the same two distances from the scanner for every beam. */
export function radialSpans(
  { beams }: ScanGeometry,
  { ulDistMin, ulDistMax }: ValueOf<'LFPradialDistanceRangeFilter'>,
): BeamSpans {
  return {
    nearest: new Float64Array(beams).fill(ulDistMin),
    furthest: new Float64Array(beams).fill(ulDistMax),
  };
}
