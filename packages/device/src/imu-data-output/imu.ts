import type { Measuring } from '../measuring/measuring.js';
import { Pulse } from '../measuring/pulse.js';
import type { Uptime } from '../measuring/uptime.js';
import type { Clock } from '../ports/clock.js';
import type { Motion } from '../ports/measuring-core.js';

/** Readings a second (reference of devices: about 10 ms apart). */
const readingsPerSecond = 100;

/** How the scanner moves, at a moment in µs of its clock. */
export interface ImuReading {
  readonly motion: Motion;
  readonly time: number;
}

/** The inertial measurement unit: what the core tells of the scanner's motion. */
export class Imu {
  readonly #measuring: Measuring;
  readonly #uptime: Uptime;
  readonly #pulse: Pulse<ImuReading>;

  constructor(clock: Clock, uptime: Uptime, measuring: Measuring) {
    this.#measuring = measuring;
    this.#uptime = uptime;
    this.#pulse = new Pulse(clock, readingsPerSecond, () => this.reading);
  }

  /** Calls `listener` 100 times a second. Returns how to stop it. */
  watch(listener: (reading: ImuReading) => void): () => void {
    void this.#measuring.coreMade();
    return this.#pulse.watch(listener);
  }

  pause(): void {
    this.#pulse.pause();
  }

  resume(): void {
    this.#pulse.resume();
  }

  get reading(): ImuReading {
    const time = Math.round(this.#uptime.microseconds);
    return { motion: this.#measuring.motion(time), time };
  }
}
