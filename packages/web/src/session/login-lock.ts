import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Five failed logins, by anybody, lock all logins for so many s (specification, Limits). */
const lockSeconds = 30;
/** ms between two looks whether the lock is over. */
const lookEvery = 2000;

/** What is known of a lock of logins. */
export interface Locked {
  /** When (ms, performance.now()) it is over at the latest. A scanner does not tell when it began. */
  readonly until: number;
  /** Did a failed login of this page bring it about? Otherwise, it began before it was noticed. */
  readonly byThisPage: boolean;
}

/** Whether a scanner takes no logins at present. While it does not, it is asked again and again. */
export class LoginLock {
  readonly #isLocked: () => Promise<boolean>;
  readonly #locked: Signal<Locked | undefined> = signal(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isLocked asks the scanner whether it gives no challenge; rejects if that cannot be known now */
  constructor(isLocked: () => Promise<boolean>) {
    this.#isLocked = isLocked;
  }

  /** undefined while the scanner takes logins, as far as it is known. */
  get locked(): ReadonlySignal<Locked | undefined> {
    return this.#locked;
  }

  /** Asks the scanner. Resolves when it has answered. */
  async look(byThisPage: boolean): Promise<void> {
    clearTimeout(this.#timer);
    let isLocked: boolean;
    try {
      isLocked = await this.#isLocked();
    } catch {
      // It does not answer: the lock counts down as far as it is known.
      isLocked = this.#locked.peek() !== undefined;
    }
    clearTimeout(this.#timer);
    const known = this.#locked.peek();
    if (!isLocked) this.#locked.value = undefined;
    else {
      this.#locked.value = known ?? { until: performance.now() + 1000 * lockSeconds, byThisPage };
      this.#timer = setTimeout(() => void this.look(byThisPage), lookEvery);
    }
  }
}
