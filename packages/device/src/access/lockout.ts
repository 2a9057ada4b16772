import type { Clock } from '../ports/clock.js';

const failuresAllowed = 5;
const lockMilliseconds = 30_000;

/** Five failed logins in a row lock authentication for 30 s, for everybody (specification, Limits). */
export class Lockout {
  readonly #clock: Clock;
  #failures = 0;
  #lockedUntil = Number.NEGATIVE_INFINITY;
  #locks = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get locked(): boolean {
    return this.#clock.monotonic() < this.#lockedUntil;
  }

  /** How often it has locked since the process started. */
  get locks(): number {
    return this.#locks;
  }

  /** A failed login. The one that locks starts the count anew. */
  failed(): void {
    this.#failures++;
    if (this.#failures < failuresAllowed) return;
    this.#failures = 0;
    this.#locks++;
    this.#lockedUntil = this.#clock.monotonic() + lockMilliseconds;
  }

  succeeded(): void {
    this.#failures = 0;
  }
}
