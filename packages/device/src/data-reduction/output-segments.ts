import type { ValueOf } from '@azimuth/model';
import type { ScanFilter } from '../filter/scan-filter.js';
import { angleOf, beamInterval, echoesPerBeam, type Scan, type ScanGeometry } from '../scan/scan.js';
import { GatheredSegment, type SegmentLayout } from './gathered-segment.js';

/** Consecutive beams from `first` up to, but not including, `end`. */
export interface BeamRange {
  readonly first: number;
  readonly end: number;
}

/** 1/10000°: both 3333 and 3334 mean a third of a degree. */
const rounding = 1;

/**
 * The beams within LFPangleRangeFilter, from fThetaStart to fThetaStop, both included. There are none if the start is above
 * the stop. The range of fPhi has no effect on a scanner with one plane.
 */
export function visibleBeams(geometry: ScanGeometry, range: ValueOf<'LFPangleRangeFilter'>): BeamRange {
  if (!range.bEnable) return { first: 0, end: geometry.beams };
  const nothing = { first: 0, end: 0 };
  if (range.fThetaStart > range.fThetaStop) return nothing;

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

  apply({ distance, rssi, flags }: Scan): boolean {
    distance.fill(0, 0, this.#first).fill(0, this.#end);
    rssi.fill(0, 0, this.#first).fill(0, this.#end);
    flags.fill(0, 0, this.#first).fill(0, this.#end);
    return true;
  }
}

/** The settings of data reduction. */
interface Reduction extends Pick<SegmentLayout, 'echoes' | 'scale'> {
  readonly visible: BeamRange;
  /** Every n-th beam of a segment is put out: 1 or more. */
  readonly increment: number;
}

/**
 * The segments of a scan that are put out, counted from 0. A segment without a visible beam is left out; the beam increment
 * does not matter for that.
 */
export function outputSegments(
  geometry: ScanGeometry,
  { visible, increment, echoes, scale }: Reduction,
): readonly GatheredSegment[] {
  const shown = shownSegments(geometry, visible);
  return shown.map(
    (range, index) =>
      new GatheredSegment(geometry, {
        index,
        last: index === shown.length - 1,
        putOut: beamsPutOut(range, increment),
        echoes,
        scale,
        dueAfter: dueAfter(geometry, range),
      }),
  );
}

/** The beams of each segment that has a visible beam. */
export function shownSegments(geometry: ScanGeometry, visible: BeamRange): readonly BeamRange[] {
  return segmentRanges(geometry).filter(({ first, end }) => first < visible.end && end > visible.first);
}

/**
 * The beams of each segment of a scan. A single beam at the end belongs to the segment before, because some receivers divide
 * by the number of beams less one.
 */
export function segmentRanges({ beams, beamsPerSegment }: ScanGeometry): readonly BeamRange[] {
  const ranges: BeamRange[] = [];
  for (let first = 0; first < beams; first += beamsPerSegment) {
    const end = Math.min(first + beamsPerSegment, beams);
    const before = end - first === 1 ? ranges.pop() : undefined;
    ranges.push({ first: before?.first ?? first, end });
  }
  return ranges;
}

/**
 * The beams of a segment that are put out: every n-th, from the first on. If that would be only one of several, the last
 * beam is put out, too, because some receivers divide by the number of beams less one.
 * @param increment n, 1 or more
 */
export function beamsPutOut({ first, end }: BeamRange, increment: number): Int32Array {
  const beams: number[] = [];
  for (let beam = first; beam < end; beam += increment) beams.push(beam);
  if (beams.length === 1 && end - first > 1) beams.push(end - 1);
  return Int32Array.from(beams);
}

/**
 * When a segment can be put out: when its last beam is measured, even if that beam is not put out. In µs from the first
 * beam of the scan.
 */
function dueAfter(geometry: ScanGeometry, { end }: BeamRange): number {
  return (end - 1) * beamInterval(geometry);
}

/** LFPintervalFilter: whether the scan of this number is put out, which is so for multiples of the factor. */
export function passesInterval(
  { bEnable, uiReductionFactor }: ValueOf<'LFPintervalFilter'>,
  number: number,
): boolean {
  return !bEnable || number % uiReductionFactor === 0;
}
