/** Samples that are looked back at: a scanner that was held up has a few scans to catch up with. */
const kept = 16;

/** Times of samples are told in whole µs. */
const rounding = 1;

interface Sample<T> {
  readonly time: number;
  readonly value: T;
}

/** Where something was in the last while: samples in time, and what lies between them. */
export class Trail<T> {
  readonly #between: (from: T, to: T, part: number) => T;
  readonly #samples: Sample<T>[] = [];

  /** @param between what lies between two values: `from` at part 0, `to` at part 1 */
  constructor(between: (from: T, to: T, part: number) => T) {
    this.#between = between;
  }

  /** Takes a sample. One that is not later than the one before says nothing new. */
  add(time: number, value: T): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && time <= last.time) return;
    this.#samples.push({ time, value });
    if (this.#samples.length > kept) this.#samples.shift();
  }

  /** The value at a time: the last one where that is later than all samples, undefined where it is earlier. */
  at(time: number): T | undefined {
    let to: Sample<T> | undefined;
    for (let index = this.#samples.length - 1; index >= 0; index--) {
      const from = this.#samples[index];
      if (from === undefined) return undefined;
      if (from.time <= time + rounding) {
        if (to === undefined) return from.value;
        return this.#between(from.value, to.value, Math.max(0, time - from.time) / (to.time - from.time));
      }
      to = from;
    }
    return undefined;
  }
}
