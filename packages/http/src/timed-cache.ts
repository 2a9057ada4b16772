/** Time (ms) for which content made for one client is given to all others, too. */
export const defaultCacheTime = 1000;

interface Entry<T> {
  readonly at: number;
  readonly content: Promise<T>;
}

/**
 * Caches content that many clients request and that takes time to make. It is made at most once a second of real time,
 * and shared.
 */
export class TimedCache<T> {
  readonly #make: () => Promise<T>;
  readonly #freshFor: number;
  #entry: Entry<T> | undefined;

  /** @param freshFor ms */
  constructor(make: () => Promise<T>, freshFor = defaultCacheTime) {
    this.#make = make;
    this.#freshFor = freshFor;
  }

  /** Content that was made for others, and is fresh; undefined if it would have to be made. */
  get cached(): Promise<T> | undefined {
    const isFresh = this.#entry !== undefined && performance.now() - this.#entry.at < this.#freshFor;
    return isFresh ? this.#entry?.content : undefined;
  }

  get(): Promise<T> {
    const { cached } = this;
    if (cached !== undefined) return cached;
    const entry = { at: performance.now(), content: this.#make() };
    this.#entry = entry;
    // After a failure, the next call makes it again.
    entry.content.catch(() => {
      if (this.#entry === entry) this.#entry = undefined;
    });
    return entry.content;
  }

  /** Drops the content, because it is not true any more. */
  forget(): void {
    this.#entry = undefined;
  }
}
