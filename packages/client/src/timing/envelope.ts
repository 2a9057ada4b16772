import { type Fit, fitBelow, type Point } from './fit.js';

/** Bins of an envelope. If a stream takes longer, bins become twice as wide. */
const mostBins = 256;
/** ms. */
const firstWidth = 250;

interface Bin {
  /** Time of the least value. */
  at: number;
  least: number;
}

/** Sudden change of a value at a time. */
export interface Jump {
  readonly at: number;
  readonly by: number;
}

/**
 * The lower envelope of a value over time: the least value of each short time. Of delays it is those of the telegrams that
 * waited nowhere, so it shows how two clocks run, whatever the network does to the others.
 */
export class Envelope {
  readonly #bins = new Map<number, Bin>();
  #width = firstWidth;
  #begin: number | undefined;

  add(time: number, value: number): void {
    this.#begin ??= time;
    let index = Math.floor((time - this.#begin) / this.#width);
    while (Math.abs(index) >= mostBins) {
      this.#widen();
      index = Math.floor((time - this.#begin) / this.#width);
    }
    this.#put(index, { at: time, least: value });
  }

  /**
   * Fits a line below which hardly any bin lies. Undefined for fewer than two bins.
   * @param jumps those of the value: they are taken out, and bins in which they happened do not count
   */
  fit(jumps: readonly Jump[]): Fit | undefined {
    return fitBelow(this.#without(jumps));
  }

  #without(jumps: readonly Jump[]): readonly Point[] {
    const inJump = new Set(jumps.map(({ at }) => this.#indexAt(at)));
    return [...this.#bins]
      .sort(([one], [other]) => one - other)
      .filter(([index]) => !inJump.has(index))
      .map(([, { at, least }]) => ({ at, value: least - jumpedBefore(jumps, at) }));
  }

  #indexAt(time: number): number {
    return Math.floor((time - (this.#begin ?? time)) / this.#width);
  }

  #widen(): void {
    const bins = [...this.#bins];
    this.#bins.clear();
    this.#width *= 2;
    for (const [index, bin] of bins) this.#put(Math.floor(index / 2), bin);
  }

  #put(index: number, bin: Bin): void {
    const known = this.#bins.get(index);
    if (known === undefined) this.#bins.set(index, { ...bin });
    else if (bin.least < known.least) Object.assign(known, bin);
  }
}

/** Returns how far jumps before a time have moved a value. */
export function jumpedBefore(jumps: readonly Jump[], time: number): number {
  return jumps.reduce((total, { at, by }) => (at <= time ? total + by : total), 0);
}
