import type { EncoderTelegram, ScanTelegram } from '@azimuth/telegrams';

/** What did not arrive as it was sent, counted since the beginning. */
export interface Losses {
  /** Telegrams that were never received, by their sequence numbers. */
  telegrams: number;
  /** Frames of which nothing was received. */
  frames: number;
  /** How often counters went back, because the sender restarted. */
  restarts: number;
  /** Telegrams that were received late (after later ones), or twice. */
  outOfOrder: number;
  /** Telegrams that cannot be what was sent. */
  damaged: number;
}

function noLosses(): Losses {
  return { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0 };
}

/** The most senders that are remembered: without a limit, forged addresses would fill the memory. */
const most = 32;

/** Something for each sender. Of too many senders, the one that has been silent for longest is forgotten. */
export class Senders<T> {
  readonly #known = new Map<string, T>();
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  of(sender: string): T {
    const known = this.#known.get(sender) ?? this.#make();
    this.#known.delete(sender);
    this.#known.set(sender, known);
    if (this.#known.size > most) {
      const [silent = ''] = this.#known.keys();
      this.#known.delete(silent);
    }
    return known;
  }

  all(): Iterable<T> {
    return this.#known.values();
  }
}

/** How a telegram follows those before it. `lost` counts the telegrams between them that have not come so far. */
export type Step =
  | { readonly kind: 'next'; readonly lost: number }
  /** Others have overtaken it; `counted` says that it was already counted as lost. */
  | { readonly kind: 'late'; readonly counted: boolean }
  /** The same number once more. */
  | { readonly kind: 'repeated' }
  /** The counter went back. */
  | { readonly kind: 'restart' };

/** How far (telegrams, µs) a network may put a telegram behind others. What goes back further is a restart. */
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
    // Counted backwards from the new one: numbers above 2^53 do not rise by adding 1.
    for (let back = Math.min(lost, latest.telegrams); back > 0; back--) this.#missing.add(sequence - back);
    this.#last = sequence;
    this.#transmitTime = transmitTime;
    return { kind: 'next', lost };
  }
}

/**
 * The frame numbers of one sender's stream. They rise by one, or in larger steps if an interval filter passes each n-th
 * scan only; the step is learnt wherever no telegram is missing between two frames.
 */
class FrameNumbers {
  #last: number | undefined;
  #step = 1;
  #missing = 0;

  /** Telegrams that did not come (or, below 0, came after all) since the frame before. */
  miss(telegrams: number): void {
    this.#missing = Math.max(0, this.#missing + telegrams);
  }

  /** The number of the newest telegram; answers how many frames are lost, or undefined if the counter went back. */
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
    // A frame that is lost has lost one telegram at least.
    return Math.min(missing, Math.max(0, Math.round(rise / this.#step) - 1));
  }

  /** Starts again at a frame of this number. */
  restart(number: number): void {
    this.#last = number;
    this.#missing = 0;
  }
}

/** Counts what is lost of the streams of any number of senders, by the counters in their telegrams. */
export class LossCount {
  readonly losses: Losses = noLosses();
  readonly #scans = new Senders(() => ({ sequence: new Sequence(), frames: new FrameNumbers() }));
  readonly #encoders = new Senders(() => new Sequence());

  /** Tells how a telegram of scan data follows those before it. @param from the address that it came from */
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

  encoder({ sequence, transmitTime, sender }: EncoderTelegram, from: string): void {
    this.#count(this.#encoders.of(`${from} ${sender}`).follow(sequence, transmitTime));
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
      // A stream that repeats a number has left one out: receivers in the field count it so.
      case 'repeated':
        this.losses.telegrams++;
        break;
      case 'restart':
        this.losses.restarts++;
    }
  }
}
