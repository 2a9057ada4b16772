import type { ScanTelegram } from '@azimuth/telegrams';
import { type Frame, isWhole } from './frame.js';
import { FrameSize } from './frame-size.js';
import { LossCount } from './loss-count.js';
import type { Losses } from './losses.js';
import { SenderAssembly } from './sender-assembly.js';
import { Senders } from './senders.js';

/**
 * Puts telegrams of scan data together to whole frames. A frame is given when its last segment is there, which is known
 * once one frame has been seen from its beginning to the beginning of the next; before that, and where something is
 * missing, when the next one begins. Telegrams of several scanners may be mixed. Memory is bounded, whatever comes.
 */
export class FrameAssembly {
  readonly #count = new LossCount();
  readonly #senders = new Senders(() => new SenderAssembly());

  /** What was missing up to now; changes as telegrams are pushed. */
  get losses(): Readonly<Losses> {
    return this.#count.losses;
  }

  /**
   * Takes a telegram; answers the frames that it completes or ends, mostly none.
   * @param from the address that it came from, where senders with the same serial number may be mixed
   */
  push(telegram: ScanTelegram, from = ''): readonly Frame[] {
    const [first] = telegram.modules;
    if (first === undefined || !telegram.modules.every(isWhole) || FrameSize.none.with(telegram).isTooLarge) {
      this.#count.damaged();
      return [];
    }
    const step = this.#count.scan(telegram, from);
    return this.#senders.of(`${from} ${first.sender}`).push(telegram, step);
  }

  /** The frames that have begun, as far as they came, for a stream that has ended. */
  flush(): readonly Frame[] {
    return [...this.#senders.all()].flatMap((sender) => sender.flush());
  }
}
