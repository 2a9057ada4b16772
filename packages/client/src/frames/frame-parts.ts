import type { ScanTelegram } from '@azimuth/telegrams';
import { type Frame, frameOf } from './frame.js';
import { FrameSize } from './frame-size.js';
import { segmentOf } from './shape.js';

/** The telegrams of a frame that has begun. */
export class FrameParts {
  readonly number: number;
  /** The sequence number that its first telegram has, where it is known that nothing came before that one. */
  readonly #begin: number | undefined;
  readonly #telegrams: ScanTelegram[] = [];
  #size = FrameSize.none;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;

  constructor(number: number, begin: number | undefined) {
    this.number = number;
    this.#begin = begin;
  }

  /** Takes a telegram; false where its segment is there already, or the frame would grow too large. */
  add(telegram: ScanTelegram): boolean {
    const segment = segmentOf(telegram);
    let at = this.#telegrams.length;
    while (at > 0 && segmentOf(this.#telegrams[at - 1] ?? telegram) > segment) at--;
    const before = this.#telegrams[at - 1];
    if (before !== undefined && segmentOf(before) === segment) return false;
    const size = this.#size.with(telegram);
    if (size.isTooLarge) return false;
    this.#telegrams.splice(at, 0, telegram);
    this.#size = size;
    this.#lowest = Math.min(this.#lowest, telegram.sequence);
    this.#highest = Math.max(this.#highest, telegram.sequence);
    return true;
  }

  /** By their segments, rising. */
  get telegrams(): readonly ScanTelegram[] {
    return this.#telegrams;
  }

  /** The highest sequence number that is there. */
  get highest(): number {
    return this.#highest;
  }

  /** Is nothing missing from its beginning up to its newest telegram? */
  get gapless(): boolean {
    const [first] = this.#telegrams;
    if (this.#highest - this.#lowest + 1 !== this.#telegrams.length) return false;
    return this.#lowest === this.#begin || (first !== undefined && segmentOf(first) === 0);
  }

  frame(complete: boolean): Frame {
    return frameOf(
      this.#telegrams.flatMap(({ modules }) => modules),
      complete,
    );
  }
}
