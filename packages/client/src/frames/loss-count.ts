import type { EncoderTelegram, ScanTelegram } from '@azimuth/telegrams';
import { FrameNumbers } from './frame-numbers.js';
import { type Losses, noLosses } from './losses.js';
import { Senders } from './senders.js';
import { Sequence, type Step } from './sequence.js';

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
