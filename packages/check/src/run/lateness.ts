import type { CheckClock } from '../scanner/checked-scanner.js';

/** ms by which a wait may end too late: cases that measure times leave more. */
const mostLate = 50;

/** Measures how late the waits of a check end: a busy computer does everything late, and the scanner cannot help it. */
export class Lateness {
  /** The clock of the check, whose waits are measured. */
  readonly clock: CheckClock;
  #latest = 0;

  constructor(clock: CheckClock) {
    this.clock = {
      now: () => clock.now(),
      wait: async (milliseconds, signal) => {
        const due = clock.now() + milliseconds;
        await clock.wait(milliseconds, signal);
        this.#latest = Math.max(this.#latest, clock.now() - due);
      },
    };
  }

  /** True if a wait ended too late since the last call of `forget`. */
  get isLate(): boolean {
    return this.#latest > mostLate;
  }

  forget(): void {
    this.#latest = 0;
  }
}
