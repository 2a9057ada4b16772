import type { ReaderQueue } from './reader-queue.js';

/**
 * A stream that is read once. It begins with the first read, and ends with the loop, with `close` or with a signal.
 * @typeParam Item the type in the queue, before it is converted for the reader
 */
export abstract class ReadOnce<T, Item = T> implements AsyncIterable<T, undefined> {
  protected readonly queue: ReaderQueue<Item>;
  /** Aborted when the stream is closed, or over. */
  protected readonly closing = new AbortController();
  readonly #signals: readonly AbortSignal[];
  #begun = false;

  /** @param signals abort signals that close the stream */
  constructor(queue: ReaderQueue<Item>, signals: readonly (AbortSignal | undefined)[]) {
    this.queue = queue;
    this.#signals = signals.filter((signal) => signal !== undefined);
  }

  /** Fills the queue until the stream is over. The reader gets its errors. */
  protected abstract run(): Promise<void>;

  /** Returns the next value of the queue. */
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
