import type { EncoderTelegram, ScanTelegram } from '@azimuth/telegrams';

/** Losses of data on the way to the client, since the beginning. */
export interface Losses {
  /** Telegrams that were never received, by their sequence numbers. */
  telegrams: number;
  /** Frames without any received telegram. */
  frames: number;
  /** Number of times that a counter went back, because the sender restarted. */
  restarts: number;
  /** Telegrams that were received late (after later ones), or twice. */
  outOfOrder: number;
  /** Telegrams that cannot be decoded, or state impossible values. */
  damaged: number;
}

function noLosses(): Losses {
  return { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0 };
}

/** Maximum number of remembered senders: without a limit, forged addresses would fill the memory. */
const maxSenders = 32;

/**
 * Keeps one item for each sender. If there are too many senders, it forgets the one that has been silent for longest.
 */
export class Senders<T> {
  readonly #bySender = new Map<string, T>();
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  of(sender: string): T {
    const known = this.#bySender.get(sender) ?? this.#make();
    this.#bySender.delete(sender);
    this.#bySender.set(sender, known);
    if (this.#bySender.size > maxSenders) {
      const [silent = ''] = this.#bySender.keys();
      this.#bySender.delete(silent);
    }
    return known;
  }

  all(): Iterable<T> {
    return this.#bySender.values();
  }
}

/** Position of a telegram relative to those before it. `lost` is the number of missing telegrams between them. */
export type Step =
  | { readonly kind: 'next'; readonly lost: number }
  /** Later telegrams have arrived first. `counted` is true if it was counted as lost before. */
  | { readonly kind: 'late'; readonly counted: boolean }
  /** A repeated sequence number. */
  | { readonly kind: 'repeated' }
  /** The counter went back. */
  | { readonly kind: 'restart' };

/** Limit for reordering by a network (telegrams, µs). A telegram that is further back means a restart. */
const latest = { telegrams: 64, transmitTime: 1_000_000 };

/** The sequence numbers of one sender's stream, which rise by one with each telegram. */
class Sequence {
  #last: number | undefined;
  #transmitTime = 0;
  readonly #missing = new Set<number>();

  /** @param transmitTime µs, on the sender's clock: distinguishes a late telegram from a restarted counter. */
  follow(sequence: number, transmitTime: number): Step {
    const last = this.#last;
    if (last === undefined || sequence > last) return this.#forward(sequence, transmitTime, last);
    if (sequence === last) return { kind: 'repeated' };
    const behind = this.#transmitTime - transmitTime;
    const isBehind = behind >= 0 && behind < latest.transmitTime;
    // A missing number that arrives is late, whatever its time: the clock of a scanner jumps when it is synchronised.
    if (last - sequence <= latest.telegrams && (isBehind || this.#missing.has(sequence))) {
      return { kind: 'late', counted: this.#missing.delete(sequence) };
    }
    this.#missing.clear();
    this.#last = sequence;
    this.#transmitTime = transmitTime;
    return { kind: 'restart' };
  }

  #forward(sequence: number, transmitTime: number, last = sequence - 1): Step {
    const oldest = sequence - latest.telegrams;
    for (const number of this.#missing) {
      if (number < oldest) this.#missing.delete(number);
    }
    const lost = sequence - last - 1;
    // Counts backwards from the new number: above 2^53, adding 1 does not change a number.
    for (let back = Math.min(lost, latest.telegrams); back > 0; back--) this.#missing.add(sequence - back);
    this.#last = sequence;
    this.#transmitTime = transmitTime;
    return { kind: 'next', lost };
  }
}

/**
 * The frame numbers of one sender's stream. They rise by one, or by a larger step if an interval filter passes only
 * each n-th scan. The step is known after two frames without a missing telegram between them.
 */
class FrameNumbers {
  #last: number | undefined;
  #step = 1;
  #missing = 0;

  /** Telegrams missing since the previous frame; below 0 if late telegrams have arrived. */
  miss(telegrams: number): void {
    this.#missing = Math.max(0, this.#missing + telegrams);
  }

  /**
   * Sets the number of the newest telegram. Returns the number of lost frames, or undefined if the counter went back.
   */
  follow(number: number): number | undefined {
    const last = this.#last;
    if (last === number) return 0;
    this.#last = number;
    const missing = this.#missing;
    this.#missing = 0;
    if (last === undefined) return 0;
    const rise = number - last;
    if (rise < 0) return undefined;
    if (missing === 0) {
      this.#step = rise;
      return 0;
    }
    // A lost frame has at least one lost telegram.
    return Math.min(missing, Math.max(0, Math.round(rise / this.#step) - 1));
  }

  /** Starts again at a frame of this number. */
  restart(number: number): void {
    this.#last = number;
    this.#missing = 0;
  }
}

/** Counts the losses in the streams of any number of senders, by the counters in their telegrams. */
export class LossCount {
  readonly losses: Losses = noLosses();
  readonly #scans = new Senders(() => ({ sequence: new Sequence(), frames: new FrameNumbers() }));
  readonly #encoders = new Senders(() => new Sequence());

  /** Returns the position of a scan telegram relative to those before it. @param from the sender's address */
  scan({ sequence, transmitTime, modules }: ScanTelegram, from: string): Step {
    const [first] = modules;
    const frameNumber = first?.frameNumber ?? 0;
    const sender = this.#scans.of(`${from} ${first?.sender}`);
    const step = sender.sequence.follow(sequence, transmitTime);
    const before = this.losses.telegrams;
    this.#count(step);
    sender.frames.miss(this.losses.telegrams - before);
    if (step.kind === 'restart') sender.frames.restart(frameNumber);
    if (step.kind !== 'next') return step;
    const lost = sender.frames.follow(frameNumber);
    if (lost === undefined) {
      this.losses.restarts++;
      return { kind: 'restart' };
    }
    this.losses.frames += lost;
    return step;
  }

  /** Returns the position of an encoder telegram relative to those before it. @param from the sender's address */
  encoder({ sequence, transmitTime, sender }: EncoderTelegram, from: string): Step {
    const step = this.#encoders.of(`${from} ${sender}`).follow(sequence, transmitTime);
    this.#count(step);
    return step;
  }

  damaged(telegrams = 1): void {
    this.losses.damaged += telegrams;
  }

  #count(step: Step): void {
    switch (step.kind) {
      case 'next':
        this.losses.telegrams += step.lost;
        break;
      case 'late':
        this.losses.outOfOrder++;
        if (step.counted) this.losses.telegrams--;
        break;
      // A repeated number means that another one was left out: receivers in the field count it so.
      case 'repeated':
        this.losses.telegrams++;
        break;
      case 'restart':
        this.losses.restarts++;
    }
  }
}
