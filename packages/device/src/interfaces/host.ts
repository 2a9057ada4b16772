import type { Log } from './log.js';
import type { SystemPlug } from './system-plug.js';

/** The hardware that the scanner runs on. */
export interface Host {
  readonly log: Log;
  /** Temperature inside the device in °C. */
  temperature(): number;
  /** Speed that the encoder measures in mm/s, signed by direction; 0 without a drive. */
  encoderSpeed?(): number;
  /** The share of light, 0 to 1, that dirt takes in each of the twelve sectors of the front screen; empty if clean. */
  contamination?(): readonly number[];
  /** The system plug in the connector; undefined without one. The same object as long as the same plug is in. */
  systemPlug?(): SystemPlug | undefined;
}
