export interface PauseOptions {
  /** Whether it keeps a process of Node alive; by default, it does. */
  readonly keepsAlive?: boolean | undefined;
}

/** Fulfilled after so many ms, and at once when the signal is aborted. It never rejects. */
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
export function letEnd(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref();
}

/** A pause of a loop that somebody ends early, because there is something to do. */
export class InterruptiblePause {
  #interruption = new AbortController();

  /** Ends the wait that is under way, or the next one. */
  end(): void {
    this.#interruption.abort();
  }

  /** Fulfilled after so many ms at the latest. One call at a time. */
  async wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, this.#interruption.signal);
    this.#interruption = new AbortController();
  }
}
