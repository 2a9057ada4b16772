import type { SensitivityMode } from '@azimuth/model';
import type { Scan, ScanGeometry } from '../scan/scan.js';
import type { Clock, Log } from './environment.js';

/**
 * The hardware of the scanner. It may fail: if a call throws or returns an invalid value, the last good value is used,
 * and DeviceStatus is 7 until a call succeeds.
 */
export interface Hardware {
  readonly log: Log;
  /** Temperature inside the device in °C. */
  temperature(): number;
  /** Speed that the encoder measures in mm/s, signed by direction. 0 without a drive. */
  encoderSpeed?(): number;
  /**
   * The share of light, 0 to 1, that dirt blocks in each of the seven sectors of the front screen. Empty if clean. It
   * is a status, and does not change the scans of the core.
   */
  contamination?(): readonly number[];
  /** The system plug in the connector. Undefined without one. The same object while the same plug is plugged in. */
  systemPlug?(): SystemPlug | undefined;
  /** True if it reports its changes to the features of the device. By default, the scanner polls it every second. */
  readonly tellsChanges?: boolean;
}

/** Order for a core. */
export interface MeasuringOrder {
  /** The beams of the performance profile. A core may measure others: every scan contains its geometry. */
  readonly geometry: ScanGeometry;
  readonly sensitivity: (typeof SensitivityMode)[keyof typeof SensitivityMode];
  readonly longRange: boolean;
  /** Origin of the count of revolutions: revolution `number` began at `time` (µs of `now`). */
  readonly origin: { readonly number: number; readonly time: number };
  /** The scanner's clock in µs. */
  readonly now: () => number;
  readonly clock: Clock;
}

/** Values of an inertial measurement unit, in the axes of the scanner: x ahead, y left, z up. */
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
   * Starts measuring. The core calls `measured` for every revolution of the mirror, in order and in time: telegrams are
   * sent when their beams are due, and telegrams of a late revolution at once. The core may reuse the scan when
   * `measured` returns. A new order calls `stop` and `start`. A promise may take some seconds, for example until the
   * motor is at speed. Otherwise the first scan is expected within three revolutions.
   */
  start(order: MeasuringOrder, measured: (scan: Scan) => void): void | Promise<void>;
  /** Stops measuring: `measured` is not called any more. */
  stop(): void | Promise<void>;
  /** The motion of the scanner at this time (µs). A core without this method is at rest. */
  motion?(time: number): Motion;
  /** Scan rate in Hz of a core with a rate of its own that ignores the order: a recording. */
  readonly frequency?: number | undefined;
  /** True after the last scan: the end of a recording. Its silence is not an error then. */
  readonly finished?: boolean;
}

/**
 * A system plug: a small memory in the connector of the scanner. It stays at the machine when the scanner is replaced.
 * It has one file. The scanner uses it for one task after the other.
 */
export interface SystemPlug {
  /** Its name in the log, for example its folder. */
  readonly name: string;
  /**
   * The file. Undefined if the plug is empty. If the file is longer than a backup can be, the beginning is enough.
   * @throws PlugFailure, or an error of the system, if it cannot be read
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Replaces the file. When the promise resolves, the new one is on the plug, complete. Until then, the old one is.
   * @throws PlugFailure, or an error of the system, if it cannot be written; then the old file stays complete
   */
  write(content: Uint8Array): Promise<void>;
  /** Renames a file that cannot be understood, and returns its new name. @throws as `write` */
  setAside(): Promise<string>;
  /** The scanner no longer uses the plug, until it reads it again. */
  release(): Promise<void>;
}

/** The plug cannot be used. Clients get the message, so it contains no path. */
export class PlugFailure extends Error {
  override readonly name = 'PlugFailure';
}
