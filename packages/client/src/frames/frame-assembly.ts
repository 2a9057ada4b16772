import type { ScanModule, ScanTelegram } from '@azimuth/telegrams';
import { type Frame, FrameSize, frameFromModules, hasMatchingLengths } from './frame.js';
import { LossCount, type Losses, Senders, type Step } from './loss-count.js';

/**
 * Assembles telegrams of scan data to complete frames. A frame is returned with its last segment. The last segment is
 * known after one frame was seen from its beginning to the beginning of the next. Before that, and if a segment is
 * missing, a frame is returned when the next one begins. Telegrams of several scanners may be mixed. Memory is always
 * bounded.
 */
export class FrameAssembly {
  readonly #count = new LossCount();
  readonly #senders = new Senders(() => new SenderAssembly());

  /** The losses up to now; updated as telegrams are pushed. */
  get losses(): Readonly<Losses> {
    return this.#count.losses;
  }

  /**
   * Adds a telegram. Returns the frames that it completes or ends, usually none.
   * @param from the address of the sender; it distinguishes senders with the same serial number
   */
  push(telegram: ScanTelegram, from = ''): readonly Frame[] {
    const [first] = telegram.modules;
    if (
      first === undefined ||
      !telegram.modules.every(hasMatchingLengths) ||
      FrameSize.none.with(telegram).isTooLarge
    ) {
      this.#count.damaged();
      return [];
    }
    const step = this.#count.scan(telegram, from);
    return this.#senders.of(`${from} ${first.sender}`).push(telegram, step);
  }

  /** Returns the frames that have begun, with their segments so far. For a stream that has ended. */
  flush(): readonly Frame[] {
    return [...this.#senders.all()].flatMap((sender) => sender.flush());
  }
}

/** A frame that was returned: its highest sequence number and its last segment. */
interface EmittedFrame {
  readonly number: number;
  readonly highest: number;
  readonly last: number;
}

/** Assembles the telegrams of one sender. */
class SenderAssembly {
  #parts: FrameParts | undefined;
  /** The segments of a complete frame; known after the first one. */
  #shape: Shape | undefined;
  /** The frame that was returned last: later telegrams of it are ignored. */
  #emitted: EmittedFrame | undefined;

  push(telegram: ScanTelegram, step: Step): readonly Frame[] {
    const number = telegram.modules[0]?.frameNumber ?? 0;
    if (step.kind === 'repeated') return [];
    if (step.kind === 'late') {
      if (this.#parts?.number === number) this.#parts.add(telegram);
      return this.#completeFrame();
    }
    const closed = step.kind === 'restart' ? this.#restart() : [];
    const segment = segmentIndex(telegram);
    if (number === this.#emitted?.number && segment > this.#emitted.last) {
      // More telegrams of a frame that was taken for complete: the scanner sends more segments than before.
      this.#shape = undefined;
      this.#emitted = { number, highest: telegram.sequence, last: segment };
      return closed;
    }
    if (this.#parts?.number === number && this.#parts.add(telegram))
      return [...closed, ...this.#completeFrame()];
    return [...closed, ...this.#close(telegram, number), ...this.#begin(telegram, number)];
  }

  /** Returns the unfinished frame with its segments so far. */
  flush(): readonly Frame[] {
    return this.#restart();
  }

  #begin(telegram: ScanTelegram, number: number): readonly Frame[] {
    const follows = this.#emitted?.highest === telegram.sequence - 1;
    this.#parts = new FrameParts(number, follows ? telegram.sequence : undefined);
    this.#parts.add(telegram);
    return this.#completeFrame();
  }

  /** Returns the current frame, if it is known to have all its segments. */
  #completeFrame(): readonly Frame[] {
    const parts = this.#parts;
    return parts !== undefined && this.#shape?.matches(parts.telegrams) ? this.#emit(parts, true) : [];
  }

  /** Starts the next frame with this telegram. */
  #close({ sequence }: ScanTelegram, number: number): readonly Frame[] {
    const parts = this.#parts;
    if (parts === undefined) return [];
    const complete = parts.number !== number && parts.gapless && parts.highest + 1 === sequence;
    if (complete) this.#shape = Shape.of(parts.telegrams);
    return this.#emit(parts, complete);
  }

  #restart(): readonly Frame[] {
    const parts = this.#parts;
    const frames = parts === undefined ? [] : this.#emit(parts, false);
    this.#emitted = undefined;
    this.#shape = undefined;
    return frames;
  }

  #emit(parts: FrameParts, complete: boolean): readonly Frame[] {
    this.#parts = undefined;
    const last = parts.telegrams.at(-1);
    this.#emitted = {
      number: parts.number,
      highest: parts.highest,
      last: last === undefined ? 0 : segmentIndex(last),
    };
    return [parts.frame(complete)];
  }
}

/** The telegrams received so far of a frame that has begun. */
class FrameParts {
  readonly number: number;
  /** The sequence number of its first telegram; undefined unless the frame was seen from its beginning. */
  readonly #begin: number | undefined;
  readonly #telegrams: ScanTelegram[] = [];
  #size = FrameSize.none;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;

  constructor(number: number, begin: number | undefined) {
    this.number = number;
    this.#begin = begin;
  }

  /** Adds a telegram. Returns false if the frame has its segment already, or would become too large. */
  add(telegram: ScanTelegram): boolean {
    const segment = segmentIndex(telegram);
    let at = this.#telegrams.length;
    while (at > 0 && segmentIndex(this.#telegrams[at - 1] ?? telegram) > segment) at--;
    const before = this.#telegrams[at - 1];
    if (before !== undefined && segmentIndex(before) === segment) return false;
    const size = this.#size.with(telegram);
    if (size.isTooLarge) return false;
    this.#telegrams.splice(at, 0, telegram);
    this.#size = size;
    this.#lowest = Math.min(this.#lowest, telegram.sequence);
    this.#highest = Math.max(this.#highest, telegram.sequence);
    return true;
  }

  /** Returns the telegrams in the order of their segments. */
  get telegrams(): readonly ScanTelegram[] {
    return this.#telegrams;
  }

  /** The highest sequence number so far. */
  get highest(): number {
    return this.#highest;
  }

  /** True if no telegram is missing from its beginning up to its newest telegram. */
  get gapless(): boolean {
    const [first] = this.#telegrams;
    if (this.#highest - this.#lowest + 1 !== this.#telegrams.length) return false;
    return this.#lowest === this.#begin || (first !== undefined && segmentIndex(first) === 0);
  }

  frame(complete: boolean): Frame {
    return frameFromModules(
      this.#telegrams.flatMap(({ modules }) => modules),
      complete,
    );
  }
}

/** Azimuths (rad) that differ by less are equal. */
const tolerance = 1e-3;

/**
 * The segments of a complete frame, with the position of its last one. Another performance profile or angle range
 * changes them. The scanner does not send segments that are completely hidden, at both ends or in between.
 */
export class Shape {
  readonly #segments: ReadonlySet<number>;
  readonly #last: ScanTelegram;

  /** @param telegrams of a complete frame, in the order of their segments */
  private constructor(segments: ReadonlySet<number>, last: ScanTelegram) {
    this.#segments = segments;
    this.#last = last;
  }

  static of(telegrams: readonly ScanTelegram[]): Shape | undefined {
    const last = telegrams.at(-1);
    if (last === undefined) return undefined;
    return new Shape(new Set(telegrams.map(segmentIndex)), last);
  }

  /** True if a frame of these telegrams is complete, as far as known. */
  matches(telegrams: readonly ScanTelegram[]): boolean {
    const last = telegrams.at(-1);
    return (
      last !== undefined &&
      telegrams.length === this.#segments.size &&
      telegrams.every((telegram) => this.#segments.has(segmentIndex(telegram))) &&
      sameBeams(last.modules[0], this.#last.modules[0])
    );
  }
}

function segmentIndex({ modules }: ScanTelegram): number {
  return modules[0]?.segmentIndex ?? 0;
}

function sameBeams(one: ScanModule | undefined, other: ScanModule | undefined): boolean {
  return (
    one?.columns === other?.columns &&
    near(one?.firstAzimuth[0], other?.firstAzimuth[0]) &&
    near(one?.lastAzimuth[0], other?.lastAzimuth[0])
  );
}

function near(one = 0, other = 0): boolean {
  return Math.abs(one - other) < tolerance;
}
