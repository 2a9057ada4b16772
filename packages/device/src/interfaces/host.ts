import type { Log } from './log.js';

/** The hardware that the scanner runs on. */
export interface Host {
  readonly log: Log;
  /** Temperature inside the device in °C. */
  temperature(): number;
  /** Speed of what drives the encoder in mm/s, its direction by sign; 0 where nothing does. */
  encoderSpeed?(): number;
  /** The share of light, 0 to 1, that each of the twelve sectors of the front screen takes away; none where nothing does. */
  contamination?(): readonly number[];
}
