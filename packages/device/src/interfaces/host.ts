import type { Log } from './log.js';
import type { SystemPlug } from './system-plug.js';

/**
 * The hardware that the scanner runs on. It may fail: whatever a call throws or returns, the last good value is used, and
 * DeviceStatus is 7 until a call succeeds.
 */
export interface Host {
  readonly log: Log;
  /** Temperature inside the device in °C. */
  temperature(): number;
  /** Speed that the encoder measures in mm/s, signed by direction; 0 without a drive. */
  encoderSpeed?(): number;
  /**
   * The share of light, 0 to 1, that dirt takes in each of the seven sectors of the front screen; empty if clean. It is a
   * status: scans are taken as the core passes them.
   */
  contamination?(): readonly number[];
  /** The system plug in the connector; undefined without one. The same object as long as the same plug is in. */
  systemPlug?(): SystemPlug | undefined;
  /** Whether its changes are told to the features of the device. If it is left out, the scanner looks every second. */
  readonly tellsChanges?: boolean;
}
