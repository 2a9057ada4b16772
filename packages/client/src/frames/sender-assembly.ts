import type { ScanTelegram } from '@azimuth/telegrams';
import type { Frame } from './frame.js';
import { FrameParts } from './frame-parts.js';
import type { Step } from './sequence.js';
import { Shape, segmentOf } from './shape.js';

/** A frame that was given: its highest sequence number and its last segment. */
interface Given {
  readonly number: number;
  readonly highest: number;
  readonly last: number;
}

/** Puts the telegrams of one sender together. */
export class SenderAssembly {
  #parts: FrameParts | undefined;
  /** What a whole frame looks like, once one has been seen. */
  #shape: Shape | undefined;
  /** The frame that was given last: nothing more of it is wanted. */
  #given: Given | undefined;

  push(telegram: ScanTelegram, step: Step): readonly Frame[] {
    const number = telegram.modules[0]?.frameNumber ?? 0;
    if (step.kind === 'repeated') return [];
    if (step.kind === 'late') {
      if (this.#parts?.number === number) this.#parts.add(telegram);
      return this.#whole();
    }
    const closed = step.kind === 'restart' ? this.#restart() : [];
    const segment = segmentOf(telegram);
    if (number === this.#given?.number && segment > this.#given.last) {
      // More of a frame that was thought whole: the scanner sends more segments than it did.
      this.#shape = undefined;
      this.#given = { number, highest: telegram.sequence, last: segment };
      return closed;
    }
    if (this.#parts?.number === number && this.#parts.add(telegram)) return [...closed, ...this.#whole()];
    return [...closed, ...this.#close(telegram, number), ...this.#begin(telegram, number)];
  }

  /** What has been begun, as far as it came. */
  flush(): readonly Frame[] {
    return this.#restart();
  }

  #begin(telegram: ScanTelegram, number: number): readonly Frame[] {
    const follows = this.#given?.highest === telegram.sequence - 1;
    this.#parts = new FrameParts(number, follows ? telegram.sequence : undefined);
    this.#parts.add(telegram);
    return this.#whole();
  }

  /** The frame that was begun, where it is known to have all its segments. */
  #whole(): readonly Frame[] {
    const parts = this.#parts;
    return parts !== undefined && this.#shape?.isThatOf(parts.telegrams) ? this.#give(parts, true) : [];
  }

  /** The next frame begins with this telegram. */
  #close({ sequence }: ScanTelegram, number: number): readonly Frame[] {
    const parts = this.#parts;
    if (parts === undefined) return [];
    const complete = parts.number !== number && parts.gapless && parts.highest + 1 === sequence;
    if (complete) this.#shape = Shape.of(parts.telegrams);
    return this.#give(parts, complete);
  }

  #restart(): readonly Frame[] {
    const parts = this.#parts;
    const frames = parts === undefined ? [] : this.#give(parts, false);
    this.#given = undefined;
    this.#shape = undefined;
    return frames;
  }

  #give(parts: FrameParts, complete: boolean): readonly Frame[] {
    this.#parts = undefined;
    const last = parts.telegrams.at(-1);
    this.#given = {
      number: parts.number,
      highest: parts.highest,
      last: last === undefined ? 0 : segmentOf(last),
    };
    return [parts.frame(complete)];
  }
}
