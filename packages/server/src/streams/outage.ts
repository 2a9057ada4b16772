import type { Clock } from '@azimuth/device';

/**
 * How long (ms) nothing must fail before sending counts as working again. Refusals come back later than what they
 * refuse, and systems tell of a host that is not there every three seconds.
 */
const quiet = 5000;

interface OutageOptions {
  readonly clock: Clock;
  readonly begins: (reason: string) => void;
  readonly ends: () => void;
}

/** Tells when telegrams begin to be lost, and when they get through again, whatever happens in between. */
export class Outage {
  readonly #options: OutageOptions;
  #isOn = false;
  #lastLoss = 0;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** A telegram got through. */
  through(): void {
    if (!this.#isOn || this.#options.clock.monotonic() - this.#lastLoss < quiet) return;
    this.#isOn = false;
    this.#options.ends();
  }

  /** A telegram did not get through. */
  lost(reason: string): void {
    this.#lastLoss = this.#options.clock.monotonic();
    if (this.#isOn) return;
    this.#isOn = true;
    this.#options.begins(reason);
  }
}
