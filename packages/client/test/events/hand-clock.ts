interface Waiting {
  readonly at: number;
  readonly go: () => void;
}

/** Time that passes when it is told to. */
export class HandClock {
  /** ms of each wait, in the order that they began. */
  readonly waits: number[] = [];
  #now = 0;
  #waiting: Waiting[] = [];
  #begun = () => {};

  readonly pause = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.resolve();
    this.waits.push(ms);
    return new Promise((resolve) => {
      const waiting = {
        at: this.#now + ms,
        go: () => {
          this.#waiting = this.#waiting.filter((other) => other !== waiting);
          signal?.removeEventListener('abort', waiting.go);
          resolve();
        },
      };
      signal?.addEventListener('abort', waiting.go);
      this.#waiting.push(waiting);
      this.#begun();
    });
  };

  /** How many wait now. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Until somebody waits for so many ms from now on. */
  async somebodyWaits(ms: number): Promise<void> {
    while (!this.#waiting.some(({ at }) => at === this.#now + ms)) {
      await new Promise<void>((resolve) => {
        this.#begun = resolve;
      });
    }
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const { at, go } of [...this.#waiting]) if (at <= this.#now) go();
  }
}
