/** Runs asynchronous actions one after the other, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `act` when all earlier actions have ended, successfully or not. Settles as `act` does. */
  run<T>(act: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Waits until all actions so far have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/**
 * Calls an action for each item, at most `limit` at a time. Returns the results in the order of the items. After a
 * failure nothing new begins.
 */
export async function concurrently<T, R>(
  limit: number,
  items: readonly T[],
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;

  async function worker(): Promise<void> {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await act(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }

  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
