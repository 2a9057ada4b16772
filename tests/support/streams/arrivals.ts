const longest = 20_000;

/** Collects what arrives, and lets a test wait for more. */
export class Arrivals<T> {
  readonly all: T[] = [];
  #read = 0;
  #failure: Error | undefined;
  readonly #waiting = new Set<() => void>();

  push(...items: readonly T[]): void {
    this.all.push(...items);
    this.#check();
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#check();
  }

  /** The number of items that have arrived and were not taken. */
  get unread(): number {
    return this.all.length - this.#read;
  }

  /** Waits for the next `count` items. Throws after 10 s of real time. */
  async next(count: number): Promise<readonly T[]> {
    await this.#until(() => this.unread >= count, `${count} more after ${this.#read}`);
    return this.#readNext(count);
  }

  /** All items that have arrived and were not taken. */
  rest(): readonly T[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#readNext(this.unread);
  }

  /** Waits for the first wanted item. The items before it are taken as well. */
  async find(what: string, wanted: (item: T) => boolean): Promise<T> {
    const at = () => this.all.findIndex((item, index) => index >= this.#read && wanted(item));
    await this.#until(() => at() !== -1, what);
    const found = this.all[at()];
    if (found === undefined) throw new Error(`${what}: gone`);
    this.#read = at() + 1;
    return found;
  }

  #readNext(count: number): readonly T[] {
    const items = this.all.slice(this.#read, this.#read + count);
    this.#read += items.length;
    return items;
  }

  async #until(isThere: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + longest;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      if (isThere()) return;
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`${what} within ${longest} ms: ${this.unread} came`);
      await this.#change(left);
    }
  }

  #change(limit: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, limit);
      this.#waiting.add(done);
    });
  }

  #check(): void {
    for (const done of [...this.#waiting]) done();
  }
}
