import type { Beam } from './beam-facts.js';

/** A segment of a scan, in any format. Angles in degrees, times in µs, distances in mm. */
export interface SegmentReading {
  readonly kind: 'scan';
  readonly sequence: number;
  readonly transmitTime: number;
  readonly segment?: number;
  readonly frame?: number;
  readonly beams?: number;
  readonly firstTime?: number;
  readonly lastTime?: number;
  readonly firstAzimuth?: number;
  readonly lastAzimuth?: number;
  readonly beamList?: readonly Beam[];
  readonly [detail: string]: unknown;
}
