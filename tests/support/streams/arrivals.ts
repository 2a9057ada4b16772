const longest = 20_000;

/** Collects what arrives, and lets a test wait for more. */
export class Arrivals<T> {
  readonly all: T[] = [];
  #taken = 0;
  #failure: Error | undefined;
  readonly #waiting = new Set<() => void>();

  push(...items: readonly T[]): void {
    this.all.push(...items);
    this.#look();
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#look();
  }

  /** The number of items that have arrived and were not taken. */
  get untaken(): number {
    return this.all.length - this.#taken;
  }

  /** Waits for the next `count` items. Throws after 10 s of real time. */
  async next(count: number): Promise<readonly T[]> {
    await this.#until(() => this.untaken >= count, `${count} more after ${this.#taken}`);
    return this.#take(count);
  }

  /** All items that have arrived and were not taken. */
  rest(): readonly T[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#take(this.untaken);
  }

  /** Waits for the first wanted item. The items before it are taken as well. */
  async find(what: string, wanted: (item: T) => boolean): Promise<T> {
    const at = () => this.all.findIndex((item, index) => index >= this.#taken && wanted(item));
    await this.#until(() => at() !== -1, what);
    const found = this.all[at()];
    if (found === undefined) throw new Error(`${what}: gone`);
    this.#taken = at() + 1;
    return found;
  }

  #take(count: number): readonly T[] {
    const items = this.all.slice(this.#taken, this.#taken + count);
    this.#taken += items.length;
    return items;
  }

  async #until(isThere: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + longest;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      if (isThere()) return;
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`${what} within ${longest} ms: ${this.untaken} came`);
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

  #look(): void {
    for (const done of [...this.#waiting]) done();
  }
}
