interface Waiting {
  readonly at: number;
  readonly go: () => void;
}

/** A clock that a test moves. */
export class HandClock {
  /** Duration in ms of each wait, in the order of their begin. */
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

  /** Number of current waits. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when a wait for this many ms begins. */
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
