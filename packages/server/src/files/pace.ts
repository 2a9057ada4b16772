import type { Clock } from '@azimuth/device';

/** While a client is waited for, it has to send so much in so long: 32 KiB a second, so 100 MiB within 54 minutes. */
export const slowest = { bytes: 320 * 1024, milliseconds: 10_000 } as const;

/** Holds a client to its pace. Time in which the scanner reads nothing from it, as its disk is slow, does not count. */
export class Pace {
  readonly #clock: Clock;
  readonly #tooSlow: () => void;
  #bytes = 0;
  /** Milliseconds of waiting until it is looked at. */
  #left: number = slowest.milliseconds;
  #since = 0;
  #cancel: (() => void) | undefined;

  /** `tooSlow` is called once. */
  constructor(clock: Clock, tooSlow: () => void) {
    this.#clock = clock;
    this.#tooSlow = tooSlow;
  }

  /** From now on the client is waited for. */
  wait(): void {
    this.#since = this.#clock.monotonic();
    this.#cancel = this.#clock.after(this.#left, () => this.#look());
  }

  /** So much has come. */
  came(bytes: number): void {
    this.end();
    this.#left = Math.max(0, this.#left - (this.#clock.monotonic() - this.#since));
    this.#bytes += bytes;
  }

  end(): void {
    this.#cancel?.();
  }

  #look(): void {
    if (this.#bytes < slowest.bytes) {
      this.#tooSlow();
      return;
    }
    this.#bytes = 0;
    this.#left = slowest.milliseconds;
    this.wait();
  }
}
