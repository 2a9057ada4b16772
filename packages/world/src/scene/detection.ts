import { type MeasuringOrder, weakestEcho } from '@azimuth/device';

/** What a receiver takes for an echo. */
export interface Detection {
  /** RSSI. */
  readonly threshold: number;
  /** m. */
  readonly nearest: number;
  readonly farthest: number;
}

/** m: two surfaces closer together along a beam give one echo. */
export const echoSeparation = 0.2;

export function detectionOf({
  sensitivity,
  longRange,
}: Pick<MeasuringOrder, 'sensitivity' | 'longRange'>): Detection {
  return { threshold: weakestEcho[sensitivity], nearest: 0.05, farthest: longRange ? 120 : 60 };
}
