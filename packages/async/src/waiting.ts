export interface PauseOptions {
  /** True if it keeps a process of Node alive. True by default. */
  readonly keepsAlive?: boolean | undefined;
}

/** Waits for this many ms, or until the signal is aborted. It never rejects. */
export function pause(
  milliseconds: number,
  signal?: AbortSignal | undefined,
  { keepsAlive = true }: PauseOptions = {},
): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    signal?.addEventListener('abort', over);
    if (!keepsAlive) letEnd(timer);
  });
}

/** Browsers have a number for a timer, and no process that it could keep alive. */
function letEnd(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref();
}

/** A pause of a loop that other code can end early, because there is work. */
export class InterruptiblePause {
  #interruption = new AbortController();

  /** Ends the present wait, or the next one. */
  end(): void {
    this.#interruption.abort();
  }

  /** Waits for at most this many ms. Call it again only when it has ended. */
  async wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, this.#interruption.signal);
    this.#interruption = new AbortController();
  }
}

/** Calls `act` after this many ms. @returns a function that cancels it */
export type After = (milliseconds: number, act: () => void) => () => void;

/**
 * Settles as `work`, or as `late` if that takes longer: the work continues then, and nobody waits for it.
 * @param late may throw
 * @param after counts the time; by default, the timers of the system
 */
export function inTime<T>(
  milliseconds: number,
  work: Promise<T>,
  late: () => T,
  after: After = bySystem(),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(milliseconds, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
    work.then(resolve, reject).finally(() => cancel());
  });
}

/** Waits until `work` is done, but at most this many ms. Rejects as `work` does. */
export function atMost(milliseconds: number, work: Promise<unknown>, options?: PauseOptions): Promise<void> {
  const done = work.then(() => undefined);
  return inTime(milliseconds, done, () => undefined, bySystem(options));
}

/** The timers of the system. */
export function bySystem({ keepsAlive = true }: PauseOptions = {}): After {
  return (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    if (!keepsAlive) letEnd(timer);
    return () => clearTimeout(timer);
  };
}

/**
 * The pause before the next attempt, in the unit of `first`: twice as long each time.
 * @param failures attempts in a row that have failed before the last one: 0 gives the first pause
 * @param longest no pause is longer
 */
export function doubledPause(first: number, failures: number, longest = Number.POSITIVE_INFINITY): number {
  return Math.min(first * 2 ** failures, longest);
}
