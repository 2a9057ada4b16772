import { pause } from '@azimuth/async';

/** Looks again and again from `open` to `close`. Opening it twice does no harm. */
export class Looking {
  readonly #every: number;
  readonly #look: (aborted: AbortSignal) => Promise<unknown>;
  #stop: AbortController | undefined;

  /**
   * @param every ms between two looks
   * @param look answers 'over' if there is nothing to look for any more
   */
  constructor(every: number, look: (aborted: AbortSignal) => Promise<unknown>) {
    this.#every = every;
    this.#look = look;
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
    while (!aborted.aborted && (await this.#look(aborted)) !== 'over') await pause(this.#every, aborted);
  }
}

/** Something that happens once, for those who wait for it. */
export class Once {
  #has = false;
  #happened: () => void = () => undefined;
  /** Fulfilled when it has happened. */
  readonly happening = new Promise<void>((resolve) => {
    this.#happened = resolve;
  });

  get has(): boolean {
    return this.#has;
  }

  happen(): void {
    this.#has = true;
    this.#happened();
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
