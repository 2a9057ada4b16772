import type { ScanGeometry } from '../measuring/scan-geometry.js';
import { beamsPutOut } from './beams-put-out.js';
import { dueAfter } from './due-after.js';
import { GatheredSegment, type SegmentFacts } from './gathered-segment.js';
import { segmentRanges } from './segment-ranges.js';
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
