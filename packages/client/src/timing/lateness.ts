import { quantile, Samples } from './statistics.js';

/** A time in which this computer was busy with something else, in ms. */
export interface LateStretch {
  readonly from: number;
  to: number;
}

/** Stretches that are kept apart. Beyond, those with the shortest pause between them are joined. */
const mostStretches = 512;

/** Lateness (ms) that every computer has. */
const usual = 3;

/** Ticks whose lateness is kept, and those that say how often it is late. */
const mostTicks = 4096;
const leastTicks = 500;

/** What has waited in a stretch is read behind it, within this part of its length. */
const catchingUp = 0.1;

/** ms by which one of a hundred ticks of a busy computer is late. */
const oftenLate = 30;

/**
 * How late this computer itself was. A program that reads a socket late sees old telegrams as late ones: what arrived in
 * such a stretch says nothing about the scanner or the network.
 */
export class ComputerLateness {
  readonly #stretches: LateStretch[] = [];
  readonly #ticks = new Samples<number>(mostTicks);
  #longest = 0;
  #total = 0;

  /**
   * Adds a tick of a timer of this program.
   * @param at when it ran
   * @param late ms after it was due
   */
  add(at: number, late: number): void {
    this.#ticks.add(late);
    if (late < usual) return;
    const from = at - late;
    this.#longest = Math.max(this.#longest, late);
    this.#total += late;
    const to = at + catchingUp * late;
    const newest = this.#stretches.at(-1);
    if (newest !== undefined && from <= newest.to) newest.to = Math.max(newest.to, to);
    else this.#stretches.push({ from, to });
    if (this.#stretches.length > mostStretches) this.#joinNearest();
  }

  /** ms. */
  get longest(): number {
    return this.#longest;
  }

  /** ms of all stretches together. */
  get total(): number {
    return this.#total;
  }

  /** ms by which one of a hundred ticks was late, or more; 0 without ticks. */
  get p99(): number {
    const { kept } = this.#ticks;
    return kept.length === 0 ? 0 : quantile(Float64Array.from(kept).sort(), 0.99);
  }

  /** True if it was late again and again. */
  get isOftenLate(): boolean {
    return this.#ticks.count >= leastTicks && this.p99 >= oftenLate;
  }

  get stretches(): readonly Readonly<LateStretch>[] {
    return this.#stretches;
  }

  /** True if this computer was late at a time. @param around ms before and behind that belong to it */
  covers(time: number, around = 0): boolean {
    let low = 0;
    let high = this.#stretches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stretches[middle]?.to ?? 0) + around < time) low = middle + 1;
      else high = middle;
    }
    const stretch = this.#stretches[low];
    return stretch !== undefined && stretch.from - around <= time;
  }

  #joinNearest(): void {
    const stretches = this.#stretches;
    let nearest = 1;
    for (let at = 1; at < stretches.length; at++) {
      if (pauseBefore(stretches, at) < pauseBefore(stretches, nearest)) nearest = at;
    }
    const [joined] = stretches.splice(nearest, 1);
    const into = stretches[nearest - 1];
    if (joined !== undefined && into !== undefined) into.to = joined.to;
  }
}

function pauseBefore(stretches: readonly LateStretch[], at: number): number {
  return (stretches[at]?.from ?? 0) - (stretches[at - 1]?.to ?? 0);
}
