import type { SensitivityMode } from '@azimuth/model';
import type { Scan, ScanGeometry } from '../scan/scan.js';
import type { Clock, Log } from './environment.js';

/**
 * The hardware that the scanner runs on. It may fail: whatever a call throws or returns, the last good value is used, and
 * DeviceStatus is 7 until a call succeeds.
 */
export interface Hardware {
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

/** What a core has to measure. */
export interface MeasuringOrder {
  /** The beams of the performance profile. A core may measure others: every scan says where its beams are. */
  readonly geometry: ScanGeometry;
  readonly sensitivity: (typeof SensitivityMode)[keyof typeof SensitivityMode];
  readonly longRange: boolean;
  /** Where the count of revolutions continues: revolution `number` began at `time` (µs of `now`). */
  readonly origin: { readonly number: number; readonly time: number };
  /** The scanner's clock in µs. */
  readonly now: () => number;
  readonly clock: Clock;
}

/** What an inertial measurement unit measures, in the axes of the scanner: x ahead, y left, z up. */
export interface Motion {
  /** m/s², gravity included: 0, 0, 9.81 at rest. */
  readonly acceleration: readonly [number, number, number];
  /** rad/s. */
  readonly angularVelocity: readonly [number, number, number];
  /** Unit quaternion w, x, y, z. */
  readonly orientation: readonly [number, number, number, number];
}

/**
 * Measures: the laser, the mirror and the receiver of a scanner, or a replacement. It runs only while the scanner
 * measures and something uses the scans.
 */
export interface MeasuringCore {
  /**
   * Starts measuring. It calls `measured` for every revolution of the mirror, in order and in time: telegrams are sent
   * when their beams are due, those of a late revolution at once. The core may reuse the scan when `measured` returns.
   * When the order changes, `stop` and `start` are called. A promise may take some seconds, for example until the motor is at
   * speed. Otherwise the first scan is expected within three revolutions.
   */
  start(order: MeasuringOrder, measured: (scan: Scan) => void): void | Promise<void>;
  /** Stops measuring: `measured` is not called any more. */
  stop(): void | Promise<void>;
  /** How the scanner moves at this time (µs). A core without it is at rest. */
  motion?(time: number): Motion;
  /** Hz, if it measures at a rate of its own, whatever is ordered: a recording. */
  readonly frequency?: number | undefined;
  /** Whether nothing follows any more: the end of a recording. Then its silence is no fault. */
  readonly finished?: boolean;
}

/**
 * A system plug: a small memory in the connector of the scanner. It stays at the machine when the scanner is exchanged. It
 * has one file. The scanner uses it for one thing after the other.
 */
export interface SystemPlug {
  /** What the log calls it, for example its folder. */
  readonly name: string;
  /**
   * The file; undefined if the plug is empty. Of a longer file than a backup can be, the beginning suffices.
   * @throws PlugFailure, or an error of the system, if it cannot be read
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Replaces the file. The new one is on the plug, whole, when the promise resolves; until then the old one is.
   * @throws PlugFailure, or an error of the system, if it cannot be written; then the old file stays whole
   */
  write(content: Uint8Array): Promise<void>;
  /** Renames a file that cannot be understood, and returns its new name. @throws as `write` */
  setAside(): Promise<string>;
  /** The scanner does not use the plug any more, until it reads it again. */
  release(): Promise<void>;
}

/** The plug cannot be used. Clients get the message, so it contains no path. */
export class PlugFailure extends Error {
  override readonly name = 'PlugFailure';
}
