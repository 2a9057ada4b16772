import { doubledPause } from '@azimuth/async';
import type { MonitorClock } from '../clock.js';
import type { OutputCounts } from './output.js';

/** The other side will never accept anything again. What waits is dropped, and nothing is sent any more. */
export class OutputEnded extends Error {
  override readonly name = 'OutputEnded';
}

/** The other side is there, but refuses this item for ever. It is dropped and counted as lost. */
export class ItemRefused extends Error {
  override readonly name = 'ItemRefused';
}

/** The other side asks for a pause. */
export class SendLater extends Error {
  override readonly name = 'SendLater';

  /** @param milliseconds pause before the next attempt */
  constructor(
    message: string,
    readonly milliseconds: number,
  ) {
    super(message);
  }
}

/** Bounds of a queue. */
export interface QueueBounds {
  readonly entries: number;
  readonly bytes: number;
  /** Milliseconds of one attempt. */
  readonly attempt: number;
}

export const usualBounds: QueueBounds = { entries: 10_000, bytes: 8 * 1024 * 1024, attempt: 30_000 };

/** Pauses in ms: after the first failure, and the longest one. */
const firstPause = 1000;
const longestPause = 60_000;

export interface SendQueueOptions<Item> {
  readonly clock: MonitorClock;
  /**
   * Sends one item. Resolves when the other side has it; rejects if an attempt has failed. The same item is sent again then.
   * @param signal aborts when the attempt has taken too long, or the queue ends
   */
  readonly send: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly bytesOf: (item: Item) => number;
  /** Entries in an item, for the counts; 1 by default. */
  readonly entriesOf?: ((item: Item) => number) | undefined;
  /** Makes the item that tells how many were lost. */
  readonly lossItem: (lost: number) => Item;
  /** Is called when attempts begin to fail, or fail for another reason, and when they work again: undefined. */
  readonly onChange?: ((failure: Error | undefined) => void) | undefined;
  readonly bounds?: QueueBounds | undefined;
  /** Random number from 0 to 1, for pauses of different length: outputs must not come back all at once. */
  readonly random?: (() => number) | undefined;
}

/**
 * Sends items one after the other, each until it has got through. It holds no more than its bounds: if there are too many,
 * the oldest are dropped and counted, and the first item that gets through after that tells how many.
 */
export class SendQueue<Item> {
  readonly #options: SendQueueOptions<Item>;
  readonly #bounds: QueueBounds;
  readonly #closing = new AbortController();
  readonly #waiting: { readonly item: Item; readonly bytes: number; readonly entries: number }[] = [];
  #bytes = 0;
  #entries = 0;
  #delivered = 0;
  #lost = 0;
  /** Lost items that no item has told yet. */
  #untold = 0;
  #ended = false;
  /** Attempts that have failed in a row. */
  #failures = 0;
  /** The failure that `onChange` was told last. */
  #told: string | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: SendQueueOptions<Item>) {
    this.#options = options;
    this.#bounds = options.bounds ?? usualBounds;
  }

  get counts(): OutputCounts {
    return { delivered: this.#delivered, lost: this.#lost, waiting: this.#entries };
  }

  /** Adds an item. It is sent after all earlier ones. */
  add(item: Item): void {
    const { bytesOf, entriesOf = () => 1 } = this.#options;
    const entries = entriesOf(item);
    if (this.#ended || this.#closing.signal.aborted) {
      this.#lost += entries;
      return;
    }
    const bytes = bytesOf(item);
    this.#waiting.push({ item, bytes, entries });
    this.#bytes += bytes;
    this.#entries += entries;
    // The first one may be on its way: it stays.
    while (this.#waiting.length > 1 && this.#isTooFull()) this.#drop(this.#sending === undefined ? 0 : 1);
    this.#sending ??= this.#sendAll();
  }

  /** Sends what waits, for at most this many milliseconds. What is left is lost. */
  async close(longestMs: number): Promise<void> {
    const closed = new AbortController();
    const late = this.#options.clock.pause(longestMs, closed.signal).then(() => this.#closing.abort());
    await this.#sending;
    closed.abort();
    await late;
    this.#dropAll();
  }

  #isTooFull(): boolean {
    return this.#entries > this.#bounds.entries || this.#bytes > this.#bounds.bytes;
  }

  #drop(index: number): void {
    const lost = this.#removed(index);
    this.#lost += lost;
    this.#untold += lost;
  }

  #dropAll(): void {
    while (this.#waiting.length > 0) this.#drop(0);
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#closing;
    for (let first = this.#waiting[0]; first !== undefined && !signal.aborted; first = this.#waiting[0]) {
      const told = this.#untold;
      if (told > 0) {
        if ((await this.#sendOne(this.#options.lossItem(told))) === 'failed') continue;
        this.#untold -= told;
      }
      const outcome = await this.#sendOne(first.item);
      if (outcome === 'failed') continue;
      if (outcome === 'refused') this.#drop(0);
      else this.#delivered += this.#removed(0);
    }
    this.#sending = undefined;
  }

  /** Removes an item, and returns the number of its entries. */
  #removed(index: number): number {
    const [removed] = this.#waiting.splice(index, 1);
    this.#bytes -= removed?.bytes ?? 0;
    this.#entries -= removed?.entries ?? 0;
    return removed?.entries ?? 0;
  }

  /** After a failed attempt, it has waited for the next one, or the queue has ended. */
  async #sendOne(item: Item): Promise<'sent' | 'refused' | 'failed'> {
    try {
      await this.#attempt(item);
      this.#failures = 0;
      this.#tell(undefined);
      return 'sent';
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (this.#closing.signal.aborted) return 'failed';
      this.#tell(failure);
      if (failure instanceof ItemRefused) return 'refused';
      if (failure instanceof OutputEnded) this.#end();
      else await this.#options.clock.pause(this.#pauseAfter(failure), this.#closing.signal);
      return 'failed';
    }
  }

  /** Tells about the first failure, about another one, and about the end of failures. */
  #tell(failure: Error | undefined): void {
    if (failure?.message === this.#told) return;
    this.#told = failure?.message;
    this.#options.onChange?.(failure);
  }

  #end(): void {
    this.#ended = true;
    this.#dropAll();
  }

  #pauseAfter(failure: Error): number {
    const { random = Math.random } = this.#options;
    const pause = doubledPause(firstPause, this.#failures++, longestPause);
    const asked = failure instanceof SendLater ? failure.milliseconds : 0;
    return Math.max(asked, pause * (0.5 + random() / 2));
  }

  async #attempt(item: Item): Promise<void> {
    const { clock, send } = this.#options;
    const attempt = new AbortController();
    const { signal } = this.#closing;
    const end = () => attempt.abort(new Error('the monitor ends'));
    signal.addEventListener('abort', end);
    const over = new AbortController();
    const late = clock.pause(this.#bounds.attempt, over.signal).then(() => {
      if (!over.signal.aborted)
        attempt.abort(new Error(`expected a response within ${this.#bounds.attempt / 1000} s, got none`));
    });
    try {
      await Promise.race([send(item, attempt.signal), aborted(attempt.signal)]);
    } finally {
      signal.removeEventListener('abort', end);
      over.abort();
      await late;
    }
  }
}

/** Rejects when the signal is aborted, also if the one who sends does not notice it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
