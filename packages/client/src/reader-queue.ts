/** The limits of a queue. The first limit that is reached counts. */
interface Bounds<T> {
  readonly items: number;
  readonly bytes?: number;
  /** Returns the index of the item to drop from a full queue; 0, the oldest, by default. */
  readonly victim?: (waiting: readonly T[]) => number;
  /** Returns what replaces the item after a dropped one. By default, that item does not change. */
  readonly follow?: (victim: T, next: T) => T;
}

interface Reader<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores items until they are read. A scanner does not wait for a slow reader: if the queue is full, an item is
 * dropped.
 */
export class ReaderQueue<T> {
  readonly #bounds: Bounds<T>;
  readonly #items: { readonly item: T; readonly bytes: number }[] = [];
  /** Readers that wait. They get items in the order of their calls. */
  readonly #readers: Reader<T>[] = [];
  #bytes = 0;
  #dropped = 0;
  #end: { readonly error?: unknown } | undefined;

  constructor(bounds: Bounds<T>) {
    this.#bounds = bounds;
  }

  /** Number of dropped items. */
  get dropped(): number {
    return this.#dropped;
  }

  push(item: T, bytes = 0): void {
    if (this.#end !== undefined) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: item });
      return;
    }
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    while (this.#isTooFull) this.#makeRoom();
  }

  /** Returns the oldest item, or the next one that arrives. After the end: only the remaining items. */
  next(): Promise<IteratorResult<T, undefined>> {
    const oldest = this.#remove(0);
    if (oldest !== undefined) return Promise.resolve({ done: false, value: oldest.item });
    if (this.#end !== undefined) {
      const { error } = this.#end;
      this.#end = {};
      return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  /** Ends the queue: no item follows. One reader gets the error, after the remaining items. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    const [first, ...others] = this.#readers.splice(0);
    for (const { resolve } of others) resolve({ done: true, value: undefined });
    if (error === undefined) first?.resolve({ done: true, value: undefined });
    else first?.reject(error);
    this.#end = first === undefined ? { error } : {};
  }

  /** Drops all items that have not been read. */
  clear(): void {
    this.#items.length = 0;
    this.#bytes = 0;
  }

  /** Ends the queue. Drops all items that have not been read, and the error if it has not been read. */
  close(): void {
    this.clear();
    this.end();
    this.#end = {};
  }

  /** A single item of any length fits. */
  get #isTooFull(): boolean {
    const { items, bytes = Number.POSITIVE_INFINITY } = this.#bounds;
    return this.#items.length > items || (this.#bytes > bytes && this.#items.length > 1);
  }

  #makeRoom(): void {
    const { victim, follow } = this.#bounds;
    const at = victim?.(this.#items.map(({ item }) => item)) ?? 0;
    const removed = this.#remove(at);
    const next = this.#items[at];
    if (follow !== undefined && removed !== undefined && next !== undefined)
      this.#items[at] = { ...next, item: follow(removed.item, next.item) };
    this.#dropped++;
  }

  #remove(at: number) {
    const [removed] = at === 0 ? [this.#items.shift()] : this.#items.splice(at, 1);
    this.#bytes -= removed?.bytes ?? 0;
    return removed;
  }
}

/** Checks the size of a buffer, as the caller sets it. @throws RangeError if it is not a whole number from 1 on */
export function checkedBuffer(items: number, what: string): number {
  if (Number.isInteger(items) && items >= 1) return items;
  throw new RangeError(`expected a buffer of 1 or more ${what}, got ${items}`);
}
