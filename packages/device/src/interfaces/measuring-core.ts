import type { SensitivityMode } from '@azimuth/model';
import type { Scan, ScanGeometry } from '../scan/scan.js';
import type { Clock } from './environment.js';

/** Order for a core. */
export interface MeasuringOrder {
  /** The beams of the performance profile. A core may measure others: every scan contains its geometry. */
  readonly geometry: ScanGeometry;
  /** SensitivityMode of the interface: 0 robust, 1 standard, 2 for weak echoes. */
  readonly sensitivity: (typeof SensitivityMode)[keyof typeof SensitivityMode];
  /** True if the measuring range is increased: EnableLongRangeMode of the interface. */
  readonly longRange: boolean;
  /** Origin of the count of revolutions: revolution `number` began at `time` (µs of `now`). */
  readonly origin: { readonly number: number; readonly time: number };
  /** The scanner's clock in µs: its uptime. A reboot sets it to 0. */
  readonly now: () => number;
  /**
   * The time (ms of `clock.monotonic()`) at which `now()` was 0. A time of µs is at `bootedAt + µs / 1000` on the
   * monotonic clock, which no reboot sets back.
   */
  readonly bootedAt: number;
  /** The scanner's clock, for timers of the core: `clock.after`. */
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
   * Starts measuring. The core calls `measured` for every revolution of the mirror, in order and in time. It passes a
   * whole scan: telegrams are sent when their beams are due, and telegrams of a late revolution at once. Or it passes
   * the same scan several times, while it is measured, each time with the number of `beams` that are measured so far,
   * from the first one on: a segment is sent as soon as it is measured. With all of its beams, the scan is complete.
   * `measured` never throws.
   *
   * The core may reuse the scan when `measured` has returned for all beams, and overwrite the beams that were passed. A
   * new order calls `stop` and `start`. A promise may take some seconds, for example until the motor is at speed.
   * Otherwise the first scan is expected within three revolutions.
   */
  start(order: MeasuringOrder, measured: (scan: Scan, beams?: number) => void): void | Promise<void>;
  /** Stops measuring: `measured` is not called any more. */
  stop(): void | Promise<void>;
  /**
   * The motion of the scanner at this time (µs). A core without this method is at rest.
   * @param bootedAt as in the order: the core may not have been started since the last boot
   */
  motion?(time: number, bootedAt: number): Motion;
  /**
   * The distance in m that the machine has travelled up to this time (µs), signed by direction: only differences count. It
   * turns the encoder if the hardware has none. Times may be in the past.
   * @param bootedAt as that of `motion`
   */
  travelled?(time: number, bootedAt: number): number;
  /** Scan rate in Hz of a core with a rate of its own that ignores the order: a recording. */
  readonly frequency?: number | undefined;
  /** Maximum error in ms of the times of its scans, for the metrics: of a core with a clock of its own. */
  readonly timeError?: number | undefined;
  /** True after the last scan: the end of a recording. Its silence is not an error then. */
  readonly finished?: boolean;
}
