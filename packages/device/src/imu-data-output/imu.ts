import { imuDataOutput, shortestFloat32 } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature } from '../feature.js';
import type { Clock } from '../interfaces/environment.js';
import type { Motion } from '../interfaces/measuring-core.js';
import type { Measuring } from '../measuring/measuring.js';
import { Pulse } from '../measuring/pulse.js';
import type { TelegramTime, Uptime } from '../measuring/telegram-time.js';

const { InertialMeasurementUnit } = imuDataOutput.members;

/** Hz (devices: about 10 ms apart). */
const readingsPerSecond = 100;

/** The motion of the scanner at a time in µs of its clock. */
export interface ImuReading {
  readonly motion: Motion;
  readonly time: number;
}

interface Options {
  readonly clock: Clock;
  readonly uptime: Uptime;
  readonly telegramTime: TelegramTime;
  readonly measuring: Measuring;
  readonly announcements: Announcements;
}

/** The inertial measurement unit: the motion of the scanner, as the core measures it. */
export class Imu implements Feature {
  readonly computed = [
    computed(InertialMeasurementUnit, () => {
      const { motion, time } = this.reading;
      return {
        Acceleration: motion.acceleration.map(shortestFloat32),
        AngularVelocity: motion.angularVelocity.map(shortestFloat32),
        Orientation: motion.orientation.map(shortestFloat32),
        TimeStamp: time + this.#options.telegramTime.stampOffsetAt(time),
      };
    }),
  ];
  readonly #options: Options;
  readonly #pulse: Pulse<ImuReading>;

  constructor(options: Options) {
    this.#options = options;
    this.#pulse = new Pulse(options.clock, readingsPerSecond, (due) =>
      this.#readingAt(options.uptime.microsecondsAt(due)),
    );
    const { announcements } = options;
    announcements.whileFollowed(InertialMeasurementUnit, () =>
      this.watch(() => announcements.changed([InertialMeasurementUnit])),
    );
  }

  /** Calls `listener` 100 times a second. Returns a function that ends it. */
  watch(listener: (reading: ImuReading) => void): () => void {
    void this.#options.measuring.coreMade();
    return this.#pulse.watch(listener);
  }

  pause(): void {
    this.#pulse.pause();
  }

  resume(): void {
    this.#pulse.resume();
  }

  get reading(): ImuReading {
    return this.#readingAt(this.#options.uptime.microseconds);
  }

  #readingAt(microseconds: number): ImuReading {
    const time = Math.round(microseconds);
    return { motion: this.#options.measuring.motion(time), time };
  }
}
