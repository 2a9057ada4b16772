import type { Feature } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';

/** The clock that measured data is stamped with: µs since the scanner came up, with a fraction. */
export class Uptime implements Feature {
  readonly #clock: Clock;
  #zero: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#zero = clock.monotonic();
  }

  /** Starts from zero. */
  boot(): void {
    this.#zero = this.#clock.monotonic();
  }

  get microseconds(): number {
    return (this.#clock.monotonic() - this.#zero) * 1000;
  }
}
