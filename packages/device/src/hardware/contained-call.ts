import { Timeout } from '../clock/timeout.js';
import { errorMessage, RecurringError } from '../lifecycle/unexpected-errors.js';
import type { Containment } from './contained-sensor.js';

/** ms in which a call of the hardware has to end. */
export const callLimit = 5000;

/** What became of a call. `late`: it has not ended in time, and may end later. */
export type Outcome = 'done' | 'failed' | 'late';

/**
 * Calls of one member of the hardware that acts, at most one at a time. If a call throws, rejects or does not end in
 * time, DeviceStatus is 7 until a call succeeds, and the log gets one line.
 */
export class ContainedCall<Argument> {
  readonly #call: (argument: Argument) => unknown;
  readonly #error: RecurringError;
  readonly #name: string;
  readonly #limit: () => number;
  readonly #timeout: Timeout;
  #isPending = false;
  #failure = '';

  /**
   * @param name of the member
   * @param call looks up the member and calls it
   * @param limit returns the ms in which it has to end
   */
  constructor(
    containment: Containment,
    name: string,
    call: (argument: Argument) => unknown,
    limit = () => callLimit,
  ) {
    this.#call = call;
    this.#error = new RecurringError(containment, `${name} of the hardware`);
    this.#name = name;
    this.#limit = limit;
    this.#timeout = new Timeout(containment.clock);
  }

  /** True until the call has ended, however late. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /**
   * Makes the call. Never throws.
   * @param ended called when it has ended: at once if the hardware returns no promise. If it is late, called at the end
   * of the limit, and again when the call ends
   * @returns false if the last call has not ended: this one was not made
   */
  make(argument: Argument, ended: (outcome: Outcome) => void): boolean {
    if (this.#isPending) return false;
    this.#isPending = true;
    const settle = (failure?: { readonly error: unknown }) => {
      this.#timeout.stop();
      this.#failure = '';
      // DeviceStatus changes here. What follows it must not call again before this call has ended.
      if (failure === undefined) this.#error.works();
      else this.#fails(errorMessage(failure.error));
      this.#isPending = false;
      ended(failure === undefined ? 'done' : 'failed');
    };
    let pending: Promise<unknown> | undefined;
    try {
      const result = this.#call(argument);
      if (isPromiseLike(result)) pending = Promise.resolve(result);
    } catch (error) {
      settle({ error });
      return true;
    }
    if (pending === undefined) {
      settle();
      return true;
    }
    pending.then(
      () => settle(),
      (error: unknown) => settle({ error }),
    );
    const limit = this.#limit();
    this.#timeout.set(limit, () => {
      this.#fails(`no result after ${limit / 1000} s`);
      ended('late');
    });
    return true;
  }

  /** Why the last call has failed; empty if it has succeeded. */
  get failure(): string {
    return this.#failure;
  }

  /** The outcome of one call, which is `late` at once if the last one has not ended. Never rejects. */
  outcome(argument: Argument): Promise<Outcome> {
    return new Promise((resolve) => {
      if (!this.make(argument, resolve)) resolve('late');
    });
  }

  /** Stops waiting for the call: its limit does not count any more. */
  end(): void {
    this.#timeout.stop();
  }

  #fails(reason: string): void {
    this.#failure = reason;
    this.#error.failed(`A call of the hardware fails: ${this.#name}`, reason);
  }
}

function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}
