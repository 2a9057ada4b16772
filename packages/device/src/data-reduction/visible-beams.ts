import type { ValueOf } from '@azimuth/model';
import type { ScanFilter } from '../filter/scan-filter.js';
import type { ScanGeometry } from '../scan/scan.js';
import { angleOf, echoesPerBeam, type Scan } from '../scan/scan.js';

/** Consecutive beams from `first` up to, but not including, `end`. */
export interface BeamRange {
  readonly first: number;
  readonly end: number;
}

/** 1/10000°: both 3333 and 3334 mean a third of a degree. */
const rounding = 1;

/**
 * The beams within LFPangleRangeFilter, from fThetaStart to fThetaStop, both included. There are none if the start is above
 * the stop, or if the range of fPhi does not contain 0, the plane of the scanner.
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

/** Removes all echoes of the beams outside a range. The beams stay in the scan. */
export class AngleRangeFilter implements ScanFilter {
  readonly #first: number;
  readonly #end: number;

  constructor({ first, end }: BeamRange) {
    this.#first = first * echoesPerBeam;
    this.#end = end * echoesPerBeam;
  }

  apply({ distance, rssi, flags }: Scan): void {
    distance.fill(0, 0, this.#first).fill(0, this.#end);
    rssi.fill(0, 0, this.#first).fill(0, this.#end);
    flags.fill(0, 0, this.#first).fill(0, this.#end);
  }
}
