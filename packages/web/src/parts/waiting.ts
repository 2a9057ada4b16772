import { pause } from '@azimuth/async';

/** Polls repeatedly from `open` to `close`. Opening it twice does no harm. */
export class Polling {
  readonly #every: number;
  readonly #poll: (aborted: AbortSignal) => Promise<unknown>;
  #stop: AbortController | undefined;

  /**
   * @param every ms between two calls
   * @param poll resolves with `over` to end the polling
   */
  constructor(every: number, poll: (aborted: AbortSignal) => Promise<unknown>) {
    this.#every = every;
    this.#poll = poll;
  }

  open(): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  async #run(aborted: AbortSignal): Promise<void> {
    while (!aborted.aborted && (await this.#poll(aborted)) !== 'over') await pause(this.#every, aborted);
  }
}

/** An event that happens once. */
export class Latch {
  #isSet = false;
  #resolve: () => void = () => undefined;
  /** Fulfilled when `set` is called. */
  readonly whenSet = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  get isSet(): boolean {
    return this.#isSet;
  }

  set(): void {
    this.#isSet = true;
    this.#resolve();
  }
}

/**
 * Limits how many acts run at once; the others wait in their order. A browser has few connections to one server: if
 * requests waited for one of them, their time limits would pass.
 */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs an act when it is its turn. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    const end = await this.acquire();
    try {
      return await act();
    } finally {
      end();
    }
  }

  /** Waits for a turn. @returns a function that ends it; only its first call counts */
  async acquire(): Promise<() => void> {
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
