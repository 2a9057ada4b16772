import { LegacySplitter, type LegacyTelegram } from '@azimuth/telegrams/legacy';

/** Bytes that the payload of a request may have. */
export const largestRequest = 64 * 1024;

/** So much of what has come is looked at in one go: a piece may hold thousands of requests. */
const sliceBytes = 2048;

/** What a client sends, as requests: cut into telegrams no earlier than they are wanted. */
export class SessionInput {
  readonly #splitter = new LegacySplitter(largestRequest);
  readonly #pieces: Uint8Array[] = [];
  #telegrams: readonly LegacyTelegram[] = [];
  #next = 0;
  #oversized = 0;

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  /** Is there anything that was not looked at yet? */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#next >= this.#telegrams.length && !this.#hasOversized;
  }

  /** The next request; undefined until more bytes come. `oversized` stands for one that was too long. */
  next(): LegacyTelegram | 'oversized' | undefined {
    for (;;) {
      const telegram = this.#telegrams[this.#next];
      if (telegram !== undefined) {
        this.#next += 1;
        return telegram;
      }
      if (this.#hasOversized) {
        this.#oversized = this.#splitter.oversized;
        return 'oversized';
      }
      const slice = this.#slice();
      if (slice === undefined) return undefined;
      this.#telegrams = this.#splitter.push(slice);
      this.#next = 0;
    }
  }

  get #hasOversized(): boolean {
    return this.#splitter.oversized > this.#oversized;
  }

  #slice(): Uint8Array | undefined {
    const piece = this.#pieces[0];
    if (piece === undefined) return undefined;
    if (piece.length <= sliceBytes) return this.#pieces.shift();
    this.#pieces[0] = piece.subarray(sliceBytes);
    return piece.subarray(0, sliceBytes);
  }
}
