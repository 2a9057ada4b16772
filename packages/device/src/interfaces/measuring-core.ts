import type { SensitivityMode } from '@azimuth/model';
import type { Scan, ScanGeometry } from '../scan/scan.js';
import type { Clock } from './clock.js';

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
