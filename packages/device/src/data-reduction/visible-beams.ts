import type { ValueOf } from '@azimuth/model';
import { angleOf } from '../scan/scan.js';
import type { ScanGeometry } from '../scan/scan-geometry.js';

/** Beams one after the other: from the first one up to the one before `end`. Empty where the two are the same. */
export interface BeamRange {
  readonly first: number;
  readonly end: number;
}

/** In 1/10000°: a third of a degree, 3333.33…, is also meant by 3333 and by 3334. */
const rounding = 1;

/**
 * The beams that LFPangleRangeFilter lets see: those from fThetaStart to fThetaStop, both included. Where the start is
 * above the stop, or where the range of fPhi leaves out 0, the plane of the scanner, there are none.
 */
export function visibleBeams(geometry: ScanGeometry, range: ValueOf<'LFPangleRangeFilter'>): BeamRange {
  if (!range.bEnable) return { first: 0, end: geometry.beams };
  const nothing = { first: 0, end: 0 };
  if (range.fThetaStart > range.fThetaStop) return nothing;
  if (range.fPhiStart > 0 || range.fPhiStop < 0) return nothing;

  function isVisible(beam: number): boolean {
    const angle = angleOf(geometry, beam) * 10_000;
    return angle >= range.fThetaStart - rounding && angle <= range.fThetaStop + rounding;
  }

  let first = 0;
  while (first < geometry.beams && !isVisible(first)) first++;
  let end = first;
  while (end < geometry.beams && isVisible(end)) end++;
  return first === end ? nothing : { first, end };
}
