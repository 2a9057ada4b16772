import type { LoginLevel } from '@azimuth/model';
import type { Clock } from '../interfaces/clock.js';

const failuresAllowed = 5;
const lockMilliseconds = 30_000;

/**
 * Failed logins lock authentication for 30 s, for everybody: five in a row (specification, Limits), which the success of
 * any enabled level ends, or five at one level, which only that level's success ends. So whoever knows the password of
 * one level cannot make room with it for guesses at another one.
 */
export class Lockout {
  readonly #clock: Clock;
  #inARow = 0;
  readonly #atLevel = new Map<LoginLevel, number>();
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

  /** A failed login at a level. The one that locks starts all counts anew. */
  failed(level: LoginLevel): void {
    const atLevel = (this.#atLevel.get(level) ?? 0) + 1;
    this.#inARow++;
    this.#atLevel.set(level, atLevel);
    if (this.#inARow < failuresAllowed && atLevel < failuresAllowed) return;
    this.#inARow = 0;
    this.#atLevel.clear();
    this.#locks++;
    this.#lockedUntil = this.#clock.monotonic() + lockMilliseconds;
  }

  /** A login at an enabled level has succeeded. */
  succeeded(level: LoginLevel): void {
    this.#inARow = 0;
    this.#atLevel.delete(level);
  }
}
