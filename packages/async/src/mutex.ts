/** Runs asynchronous actions one after the other, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `act` when all earlier actions have ended, successfully or not. Settles as `act` does. */
  run<T>(act: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Fulfilled when all actions so far have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
