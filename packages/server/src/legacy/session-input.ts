import type { Clock } from '@azimuth/device';
import { LegacySplitter, type LegacyTelegram } from '@azimuth/telegrams/legacy';

/** Bytes that the payload of a request may have. */
const largestRequest = 64 * 1024;

/** How long (ms) a binary frame may take from its first byte that is looked at to its last one. */
export const longestFrame = 2000;

/** So much of what has come is looked at in one go: a piece may hold thousands of requests. */
const sliceBytes = 2048;

/** What a client sends, as requests: cut into telegrams no earlier than they are wanted. */
export class SessionInput {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #splitter = new LegacySplitter(largestRequest, true);
  readonly #pieces: Uint8Array[] = [];
  #telegrams: readonly LegacyTelegram[] = [];
  #next = 0;
  #cancelDeadline: (() => void) | undefined;

  /** @param wake called when there may be requests that did not come with a piece */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  /** Is there anything that was not looked at yet? */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#next >= this.#telegrams.length;
  }

  /** The next request, or what stands for a broken frame; undefined until more comes. */
  next(): LegacyTelegram | undefined {
    for (;;) {
      const telegram = this.#telegrams[this.#next];
      if (telegram !== undefined) {
        this.#next += 1;
        return telegram;
      }
      const slice = this.#slice();
      if (slice === undefined) return undefined;
      this.#take(this.#splitter.push(slice));
    }
  }

  end(): void {
    this.#cancelDeadline?.();
  }

  /** A length that is wrong must not hide what comes behind it for long: whoever has sent that waits for answers. */
  #take(telegrams: readonly LegacyTelegram[]): void {
    this.#telegrams = telegrams;
    this.#next = 0;
    const isWithin = this.#splitter.isWithinFrame;
    if (!isWithin || telegrams.length > 0) {
      this.#cancelDeadline?.();
      this.#cancelDeadline = undefined;
    }
    if (isWithin) this.#cancelDeadline ??= this.#clock.after(longestFrame, () => this.#giveUp());
  }

  #giveUp(): void {
    this.#cancelDeadline = undefined;
    // Requests that wait are acted on first; those within the frame have come behind them.
    this.#take([...this.#telegrams.slice(this.#next), ...this.#splitter.giveUp()]);
    this.#wake();
  }

  #slice(): Uint8Array | undefined {
    const piece = this.#pieces[0];
    if (piece === undefined) return undefined;
    if (piece.length <= sliceBytes) return this.#pieces.shift();
    this.#pieces[0] = piece.subarray(sliceBytes);
    return piece.subarray(0, sliceBytes);
  }
}
