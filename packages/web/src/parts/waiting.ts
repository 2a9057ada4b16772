/** Work that goes on from `open` to `close`. Opening it twice does no harm. */
export class WhileOpen {
  readonly #work: (aborted: AbortSignal) => Promise<void>;
  #stop: AbortController | undefined;

  /** @param work ends when its signal is aborted */
  constructor(work: (aborted: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  open(): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    void this.#work(this.#stop.signal);
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }
}

/**
 * Lets only so many at once do something; the others wait in their order. A browser has few connections to one host, and the time
 * for an answer would pass while a request waits for one of them.
 */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Does this when it has its turn. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    const end = await this.begin();
    try {
      return await act();
    } finally {
      end();
    }
  }

  /** Waits for a turn. @returns what ends it; only its first call counts */
  async begin(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
