import { beamInterval, type ScanGeometry } from '../scan/scan-geometry.js';
import { GatheredSegment, type SegmentFacts } from './gathered-segment.js';
import type { BeamRange } from './visible-beams.js';

/** How segments are cut down. */
export interface Reduction extends Pick<SegmentFacts, 'echoes' | 'scale'> {
  readonly visible: BeamRange;
  /** Every n-th beam of a segment is put out: 1 or more. */
  readonly increment: number;
}

/**
 * The segments of a scan that are put out. One without any visible beam is left out; whether a beam of it would be put
 * out does not matter for that. Those that are left are counted from 0.
 */
export function outputSegments(
  geometry: ScanGeometry,
  { visible, increment, echoes, scale }: Reduction,
): readonly GatheredSegment[] {
  const shown = segmentRanges(geometry).filter(
    ({ first, end }) => first < visible.end && end > visible.first,
  );
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

/**
 * The beams of each segment of a scan. What would be a segment of one beam belongs to the segment before, as there are
 * receivers that divide by the number of beams less one.
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
 * The beams of a segment that are put out: every n-th one, from its first one on. Where that would be a single one of
 * several, its last beam is put out, too, as there are receivers that divide by the number of beams less one.
 * @param increment n, 1 or more.
 */
export function beamsPutOut({ first, end }: BeamRange, increment: number): Int32Array {
  const beams: number[] = [];
  for (let beam = first; beam < end; beam += increment) beams.push(beam);
  if (beams.length === 1 && end - first > 1) beams.push(end - 1);
  return Int32Array.from(beams);
}

/**
 * When a segment can be put out: the time at which its last beam is measured, be it put out or not, in µs from the
 * first beam of the scan on.
 */
export function dueAfter(geometry: ScanGeometry, { end }: BeamRange): number {
  return (end - 1) * beamInterval(geometry);
}
