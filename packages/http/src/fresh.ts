/** ms for which what was made for one client is given to all others, too. */
export const usuallyFreshFor = 1000;

interface Made<T> {
  readonly at: number;
  readonly content: Promise<T>;
}

/** What many may ask for, and what takes time to make: it is made at most once a second of real time, and shared. */
export class Fresh<T> {
  readonly #make: () => Promise<T>;
  readonly #freshFor: number;
  #made: Made<T> | undefined;

  /** @param freshFor ms */
  constructor(make: () => Promise<T>, freshFor = usuallyFreshFor) {
    this.#make = make;
    this.#freshFor = freshFor;
  }

  /** What was made for others, and is fresh; undefined if it would have to be made. */
  get kept(): Promise<T> | undefined {
    const isFresh = this.#made !== undefined && performance.now() - this.#made.at < this.#freshFor;
    return isFresh ? this.#made?.content : undefined;
  }

  get(): Promise<T> {
    const { kept } = this;
    if (kept !== undefined) return kept;
    const made = { at: performance.now(), content: this.#make() };
    this.#made = made;
    // The next one tries again.
    made.content.catch(() => {
      if (this.#made === made) this.#made = undefined;
    });
    return made.content;
  }

  /** What was made is not true any more. */
  forget(): void {
    this.#made = undefined;
  }
}
