import { Mutex } from '@azimuth/model';

/**
 * Keeps values until they are read. The scanner does not wait for a slow reader: if the queue is full, the event with the
 * most waiting values loses its oldest one. So frequent events do not displace rare ones.
 */
export class EventQueue<E extends { readonly event: string }> {
  readonly #limit: number;
  readonly #items: E[] = [];
  #dropped = 0;
  #end: { readonly error?: unknown } | undefined;
  #arrival = arrival();
  /** Readers get their values in the order in which they have asked. */
  readonly #reads = new Mutex();

  /** @throws RangeError if the limit is not a whole number from 1 on */
  constructor(limit: number) {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new RangeError(`expected a buffer of 1 or more values, got ${limit}`);
    }
    this.#limit = limit;
  }

  /** Values that made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  push(item: E): void {
    if (this.#end !== undefined) return;
    this.#items.push(item);
    if (this.#items.length > this.#limit) {
      this.#items.splice(this.#victim(), 1);
      this.#dropped++;
    }
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
    this.#end = error === undefined ? {} : { error };
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

  /** The place of the oldest value of the event that has most of them. */
  #victim(): number {
    const counts = new Map<string, number>();
    for (const { event } of this.#items) counts.set(event, (counts.get(event) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return this.#items.findIndex(({ event }) => counts.get(event) === most);
  }
}

function arrival() {
  let notify = () => {};
  const came = new Promise<void>((resolve) => {
    notify = resolve;
  });
  return { came, notify };
}
