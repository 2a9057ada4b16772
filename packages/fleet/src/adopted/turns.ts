import { atMost, pause } from '@azimuth/async';

/** Looks at real scanners at the same time. */
const looksAtOnce = 32;

/** ms for the answer to a registration, before the next scanner has its turn. */
const longestRegistration = 2000;

/** What all adopted scanners of a fleet share, so that they do not ask at once. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #apart: number;
  #running = 0;
  /** Fulfilled when the next registration may begin. */
  #registered: Promise<void> = Promise.resolve();

  /** @param registrationsApart ms */
  constructor(registrationsApart: number) {
    this.#apart = registrationsApart;
  }

  /**
   * Runs an action when fewer than 32 others run.
   * @param signal ends the wait: then the action is not run
   */
  async run(act: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    if (this.#running < looksAtOnce) this.#running++;
    else if (!(await this.#turn(signal))) return;
    try {
      await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Waits until another action has ended. @returns false if the signal came first */
  #turn(signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const go = () => {
        signal?.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        resolve(false);
      };
      this.#waiting.push(go);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /**
   * Waits for the turn to register for events: one scanner after the other, with a pause after each.
   * @returns a function to call when the scanner has answered. The next one does not wait for a silent scanner for long
   */
  async registration(): Promise<() => void> {
    const before = this.#registered;
    let registered = () => {};
    const answered = new Promise<void>((resolve) => {
      registered = resolve;
    });
    this.#registered = before
      .then(() => atMost(longestRegistration, answered))
      .then(() => pause(this.#apart));
    await before;
    return registered;
  }
}

/** Returns a pause that differs by up to a fifth. @param milliseconds on average */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.8 + 0.4 * Math.random());
}
