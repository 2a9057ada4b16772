/** What one queue may hold; the first limit that is reached counts. */
export interface Bounds {
  readonly items: number;
  readonly bytes: number;
}

interface Waiting<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/** Between a socket that never waits and a reader that may be slow: a full queue drops its oldest item. */
export class BoundedQueue<T> {
  readonly #bounds: Bounds;
  readonly #items: { readonly item: T; readonly bytes: number }[] = [];
  readonly #waiting: Waiting<T>[] = [];
  #bytes = 0;
  #dropped = 0;
  #end: { readonly error?: unknown } | undefined;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Items that made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  push(item: T, bytes: number): void {
    if (this.#end !== undefined) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      waiting.resolve({ done: false, value: item });
      return;
    }
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    while (
      this.#items.length > this.#bounds.items ||
      (this.#bytes > this.#bounds.bytes && this.#items.length > 1)
    ) {
      this.#shift();
      this.#dropped++;
    }
  }

  /** The oldest item, or the next one that arrives. After the end: only the items that are left. */
  next(): Promise<IteratorResult<T, undefined>> {
    const oldest = this.#shift();
    if (oldest !== undefined) return Promise.resolve({ done: false, value: oldest.item });
    if (this.#end !== undefined) {
      const { error } = this.#end;
      this.#end = {};
      return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Nothing more will come. One reader gets the error, after the items that are left. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    const [first, ...others] = this.#waiting.splice(0);
    for (const { resolve } of others) resolve({ done: true, value: undefined });
    if (error === undefined || first === undefined) {
      first?.resolve({ done: true, value: undefined });
      this.#end = first === undefined && error !== undefined ? { error } : {};
      return;
    }
    first.reject(error);
    this.#end = {};
  }

  /** Forgets what has not been read. */
  clear(): void {
    this.#items.length = 0;
    this.#bytes = 0;
  }

  #shift() {
    const oldest = this.#items.shift();
    this.#bytes -= oldest?.bytes ?? 0;
    return oldest;
  }
}
