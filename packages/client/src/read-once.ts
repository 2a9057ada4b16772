import type { ReaderQueue } from './reader-queue.js';

/**
 * A stream that is read once. It begins when the first value is asked for, and ends with the loop, with `close` or with a signal.
 * @typeParam Item what waits for the reader, as it came
 */
export abstract class ReadOnce<T, Item = T> implements AsyncIterable<T, undefined> {
  protected readonly queue: ReaderQueue<Item>;
  /** Aborted when the stream is closed, or over. */
  protected readonly closing = new AbortController();
  readonly #signals: readonly AbortSignal[];
  #begun = false;

  /** @param signals what closes it from outside */
  constructor(queue: ReaderQueue<Item>, signals: readonly (AbortSignal | undefined)[]) {
    this.queue = queue;
    this.#signals = signals.filter((signal) => signal !== undefined);
  }

  /** Fills the queue until the stream is over. What it throws, the reader gets. */
  protected abstract run(): Promise<void>;

  /** The next value of the queue. */
  protected abstract read(): Promise<IteratorResult<T, undefined>>;

  readonly close = (): void => {
    this.queue.close();
    this.#end();
  };

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return {
      next: () => {
        this.#begin();
        return this.read();
      },
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    for (const signal of this.#signals) {
      signal.addEventListener('abort', this.close);
      if (signal.aborted) this.close();
    }
    this.run().then(this.#end, this.#end);
  }

  readonly #end = (error?: unknown): void => {
    for (const signal of this.#signals) signal.removeEventListener('abort', this.close);
    this.queue.end(error);
    this.closing.abort();
  };
}
