import type { Clock } from '../interfaces/clock.js';
import type { DeviceTime } from './device-time.js';

/** Tells of every second that the device clock begins. Seconds that were skipped are told as one. */
export class SecondTicks {
  readonly #clock: Clock;
  readonly #time: DeviceTime;
  readonly #tell: () => void;
  #told: number;
  #cancel: (() => void) | undefined;

  /** @param since the second that was told last, in s of the device's local time */
  constructor(clock: Clock, time: DeviceTime, tell: () => void, since: number) {
    this.#clock = clock;
    this.#time = time;
    this.#tell = tell;
    this.#told = since;
  }

  /** Tells from now on. Where another second has come since it was stopped, it tells that at once. */
  run(): void {
    this.stop();
    this.#book();
    this.#look();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** The clock was moved, and whoever listens knows: the next second begins at another time. */
  moved(): void {
    if (this.#cancel === undefined) return;
    this.#told = this.#second;
    this.stop();
    this.#book();
  }

  get #second(): number {
    return this.#time.second;
  }

  #book(): void {
    const { local } = this.#time;
    this.#cancel = this.#clock.after((Math.floor(local / 1000) + 1) * 1000 - local, () => {
      this.#book();
      this.#look();
    });
  }

  /** Timers and the clock round differently: a second that has not quite begun is told a moment later. */
  #look(): void {
    const second = this.#second;
    if (second === this.#told) return;
    this.#told = second;
    this.#tell();
  }
}
