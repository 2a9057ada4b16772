import { mostInSet, type NumberSet, numberSet } from '@azimuth/telegrams/rtps';

/** Which samples of another writer have come. Everything below `base` has come, or will never come. */
export class ReceivedNumbers {
  base = 1;
  /** At most 256 numbers above the base. */
  readonly #above = new Set<number>();

  /** Returns false for a sample that has come before, or that is too far ahead: it will be sent again. */
  take(sequence: number): boolean {
    if (sequence < this.base || sequence >= this.base + mostInSet || this.#above.has(sequence)) return false;
    this.#above.add(sequence);
    this.#settle();
    return true;
  }

  /** The writer has nothing below this number. */
  startAt(first: number): void {
    if (first <= this.base) return;
    this.base = first;
    for (const sequence of this.#above) if (sequence < first) this.#above.delete(sequence);
    this.#settle();
  }

  /** Samples from `first` up to `end` (excluded) will not come. */
  leaveOut(first: number, end: number): void {
    if (first <= this.base) {
      this.startAt(end);
      return;
    }
    const last = Math.min(end, this.base + mostInSet);
    for (let sequence = first; sequence < last; sequence++) this.#above.add(sequence);
  }

  /** Which samples up to `last` are missing: at most 256 from the base on. */
  missingUpTo(last: number): NumberSet {
    const missing: number[] = [];
    const end = Math.min(last, this.base + mostInSet - 1);
    for (let sequence = this.base; sequence <= end; sequence++) {
      if (!this.#above.has(sequence)) missing.push(sequence);
    }
    return numberSet(this.base, missing);
  }

  #settle(): void {
    while (this.#above.delete(this.base)) this.base += 1;
  }
}
