import { SensitivityMode } from '@azimuth/model';
import type { MeasuringOrder } from '../ports/measuring-core.js';

/**
 * The weakest signal (RSSI) that is an echo, by sensitivity. A surface of 10 % remission is seen straight ahead up to
 * 25.1 m, 34.8 m and 45.7 m.
 */
const thresholds: Readonly<Record<MeasuringOrder['sensitivity'], number>> = {
  [SensitivityMode.MAXIMUM_ROBUSTNESS]: 900,
  [SensitivityMode.STANDARD]: 500,
  [SensitivityMode.MAXIMUM_DETECTIVITY]: 300,
};

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
  return { threshold: thresholds[sensitivity], nearest: 0.05, farthest: longRange ? 120 : 60 };
}
