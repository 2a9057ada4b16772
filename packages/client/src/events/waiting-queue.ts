import { Mutex } from '@azimuth/async';

/** What happens if a queue is full. */
interface Displacement<E> {
  /** The index of the value that makes room; 0, the oldest, by default. */
  readonly victim?: (waiting: readonly E[]) => number;
  /** What the next value becomes when the one before it makes room. By default it stays as it is. */
  readonly follow?: (victim: E, next: E) => E;
}

/** Keeps values until they are read. The scanner does not wait for a slow reader: if the queue is full, one makes room. */
export class WaitingQueue<E> {
  readonly #limit: number;
  readonly #displacement: Displacement<E>;
  readonly #items: E[] = [];
  #dropped = 0;
  #end: { readonly error?: unknown } | undefined;
  #arrival = arrival();
  /** Readers get their values in the order in which they have asked. */
  readonly #reads = new Mutex();

  /** @throws RangeError if the limit is not a whole number from 1 on */
  constructor(limit: number, displacement: Displacement<E> = {}) {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new RangeError(`expected a buffer of 1 or more values, got ${limit}`);
    }
    this.#limit = limit;
    this.#displacement = displacement;
  }

  /** Values that made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  push(item: E): void {
    if (this.#end !== undefined) return;
    this.#items.push(item);
    if (this.#items.length > this.#limit) this.#makeRoom();
    this.#arrive();
  }

  /** The oldest value, or the next one that arrives. After the end: the values that are left, then the error, once. */
  next(): Promise<IteratorResult<E, undefined>> {
    return this.#reads.run(() => this.#take());
  }

  async #take(): Promise<IteratorResult<E, undefined>> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) return { done: false, value: item };
      if (this.#end !== undefined) {
        const { error } = this.#end;
        this.#end = {};
        if (error !== undefined) throw error;
        return { done: true, value: undefined };
      }
      await this.#arrival.came;
    }
  }

  /** Nothing more will come. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#arrive();
  }

  /** Ends the queue and forgets the values that were not read. */
  close(): void {
    this.#items.length = 0;
    this.#end = {};
    this.#arrive();
  }

  #arrive(): void {
    this.#arrival.notify();
    this.#arrival = arrival();
  }

  #makeRoom(): void {
    const { victim, follow } = this.#displacement;
    const at = victim?.(this.#items) ?? 0;
    const [gone] = this.#items.splice(at, 1);
    const next = this.#items[at];
    if (follow !== undefined && gone !== undefined && next !== undefined)
      this.#items[at] = follow(gone, next);
    this.#dropped++;
  }
}

function arrival() {
  let notify = () => {};
  const came = new Promise<void>((resolve) => {
    notify = resolve;
  });
  return { came, notify };
}
