import type { SensitivityMode } from '@azimuth/model';
import type { Scan, ScanGeometry } from '../scan/scan.js';
import type { Clock } from './clock.js';

/** What a core is asked to measure. */
export interface MeasuringOrder {
  /** The beams of the performance profile. A core may measure others: every scan says where its beams are. */
  readonly geometry: ScanGeometry;
  readonly sensitivity: (typeof SensitivityMode)[keyof typeof SensitivityMode];
  readonly longRange: boolean;
  /** The turn of the mirror that the count goes on from: number `number` began at `time` (µs of `now`). */
  readonly origin: { readonly number: number; readonly time: number };
  /** The scanner's clock in µs. */
  readonly now: () => number;
  readonly clock: Clock;
}

/** What an inertial measurement unit tells, in the axes of the scanner: x ahead, y left, z up. */
export interface Motion {
  /** m/s², gravity included: 0, 0, 9.81 at rest. */
  readonly acceleration: readonly [number, number, number];
  /** rad/s. */
  readonly angularVelocity: readonly [number, number, number];
  /** Unit quaternion w, x, y, z. */
  readonly orientation: readonly [number, number, number, number];
}

/**
 * What measures: the laser, the mirror and the receiver of a scanner, or something in their place. The scanner asks
 * for scans while it is to measure and somebody looks, and for nothing otherwise.
 */
export interface MeasuringCore {
  /**
   * Begins to measure. Every turn of the mirror is handed to `measured`, in order and in time: its telegrams go out as
   * its beams fall due, those of a turn that comes late at once. The scan may be used again when `measured` returns.
   * Called again, after `stop`, when the order changes.
   */
  start(order: MeasuringOrder, measured: (scan: Scan) => void): void;
  /** Ends measuring; nothing is handed over afterwards. */
  stop(): void;
  /** How the scanner moves at this time (µs); at rest where a core does not tell. */
  motion?(time: number): Motion;
}
