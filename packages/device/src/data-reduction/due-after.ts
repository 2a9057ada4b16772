import { beamInterval, type ScanGeometry } from '../measuring/scan-geometry.js';
import type { BeamRange } from './visible-beams.js';

/**
 * When a segment can be put out: the time at which its last beam is measured, be it put out or not, in µs from the
 * first beam of the scan on.
 */
export function dueAfter(geometry: ScanGeometry, { end }: BeamRange): number {
  return (end - 1) * beamInterval(geometry);
}
