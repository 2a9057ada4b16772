/** Returns the quantile of numbers in rising order: 0.5 is the median. NaN for none. */
export function quantile(rising: ArrayLike<number>, share: number): number {
  if (rising.length === 0) return Number.NaN;
  return rising[Math.min(rising.length - 1, Math.floor(share * rising.length))] ?? Number.NaN;
}

/** Returns the median; NaN for no numbers. */
export function median(values: ArrayLike<number>): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

/** How values are spread, all in ms. */
export interface Spread {
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

/** Returns the spread of values; undefined for none. */
export function spreadOf(values: Float64Array): Spread | undefined {
  if (values.length === 0) return undefined;
  const rising = Float64Array.from(values).sort();
  return {
    median: quantile(rising, 0.5),
    p95: quantile(rising, 0.95),
    p99: quantile(rising, 0.99),
    most: rising[rising.length - 1] ?? 0,
  };
}

/** The last numbers of a sequence. */
export class Recent {
  readonly #most: number;
  #values: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get values(): readonly number[] {
    return this.#values;
  }

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > this.#most) this.#values.shift();
  }

  clear(): void {
    this.#values = [];
  }
}

/**
 * Samples of a stream, evenly spread over all that came: when there are too many, every second one is dropped, and only
 * every second one is taken from then on.
 */
export class Samples<T> {
  readonly #most: number;
  #kept: T[] = [];
  #every = 1;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get kept(): readonly T[] {
    return this.#kept;
  }

  /** Number of samples that came, kept or not. */
  get count(): number {
    return this.#count;
  }

  add(sample: T): void {
    const at = this.#count;
    this.#count += 1;
    if (at % this.#every !== 0) return;
    this.#kept.push(sample);
    if (this.#kept.length < this.#most) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }
}

/** A list that stops growing. */
export class Bounded<T> {
  readonly #most: number;
  readonly #items: T[] = [];
  #count = 0;

  constructor(most = 256) {
    this.#most = most;
  }

  /** The first items that came. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** Number of items that came, kept or not. */
  get count(): number {
    return this.#count;
  }

  add(item: T): void {
    this.#count += 1;
    if (this.#items.length < this.#most) this.#items.push(item);
  }
}
