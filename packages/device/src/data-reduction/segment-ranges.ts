import type { ScanGeometry } from '../measuring/scan-geometry.js';
import type { BeamRange } from './visible-beams.js';

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
