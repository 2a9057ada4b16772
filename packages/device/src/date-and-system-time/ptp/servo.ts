import type { ZoneOffset } from '@azimuth/model';
import type { DeviceTime } from '../../clock/device-time.js';
import { type Estimate, largestDrift } from './clock-filter.js';

/** Offset in ms above which a correction is one step, at any time. */
const stepThreshold = 100;

/** Maximum time (ms) of the correction of an offset; or `slewIntervals` Sync intervals if that is longer. */
const slewTime = 4000;
const slewIntervals = 4;

/** The fastest correction of an offset: 500 ppm, beside the drift. */
const largestSlew = largestDrift;

/** ms within which an offset is corrected, if corrections come at this interval (ms). */
export function slewTimeFor(interval: number): number {
  return Math.max(slewTime, slewIntervals * interval);
}

/** Result of a correction. `offset` is the ms that the master was ahead of the device clock before. */
export interface Correction {
  readonly isStep: boolean;
  readonly offset: number;
}

/**
 * Steers the device clock after a master: with one step at first, then by its rate alone, so that its time never jumps.
 * Only a very large offset causes another step.
 */
export class Servo {
  readonly #time: DeviceTime;
  #hasStepped = false;
  #drift = 0;

  constructor(time: DeviceTime) {
    this.#time = time;
  }

  /** Drift: ms that the device clock gains on the monotonic clock per ms to follow the master, without slewing. */
  get drift(): number {
    return this.#drift;
  }

  /**
   * Corrects the device clock.
   * @param now ms of the monotonic clock
   * @param interval ms until the next correction
   * @param zone of local time from a step on
   */
  correct({ ahead, drift }: Estimate, now: number, interval: number, zone: () => ZoneOffset): Correction {
    this.#drift = drift;
    const offset = now + ahead - this.#time.utcAt(now);
    if (!this.#hasStepped || Math.abs(offset) > stepThreshold) {
      this.#hasStepped = true;
      this.#time.discipline({ at: now, utc: now + ahead, rate: drift }, zone());
      return { isStep: true, offset };
    }
    const slew = offset / slewTimeFor(interval);
    this.#run(now, drift + Math.min(Math.max(slew, -largestSlew), largestSlew));
    return { isStep: false, offset };
  }

  /** Called when no correction is expected: the clock runs on at its own rate. */
  coast(now: number): void {
    if (this.#hasStepped) this.#run(now, this.#drift);
  }

  /** Shifts UTC by this many ms: a leap second. */
  shift(now: number, ms: number): void {
    if (!this.#hasStepped) return;
    const { utc, rate } = this.#time.lineAt(now);
    this.#time.discipline({ at: now, utc: utc + ms, rate });
  }

  /** Makes the next correction a step. */
  restart(): void {
    this.#hasStepped = false;
  }

  #run(now: number, rate: number): void {
    this.#time.discipline({ at: now, utc: this.#time.utcAt(now), rate });
  }
}
