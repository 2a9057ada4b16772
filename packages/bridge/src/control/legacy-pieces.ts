import { frameBinary, frameText, LegacySplitter, type LegacyTelegram } from '@azimuth/telegrams/legacy';

/** Part of a connection of the legacy protocol, as it came. */
export interface LegacyPiece {
  readonly bytes: Uint8Array;
  /** Undefined for bytes that belong to no telegram. */
  readonly telegram: LegacyTelegram | undefined;
}

/** Divides a connection of the legacy protocol into its telegrams and what is between them. No byte gets lost. */
export class LegacyPieces {
  readonly #splitter: LegacySplitter;
  #held: Uint8Array[] = [];
  #length = 0;

  /** @param largest payload in bytes. Longer telegrams count as bytes between others */
  constructor(largest: number) {
    this.#splitter = new LegacySplitter(largest);
  }

  /** Bytes that wait for the end of a telegram. */
  get held(): number {
    return this.#length;
  }

  /** Adds the next bytes. @returns what is complete now */
  push(bytes: Uint8Array): readonly LegacyPiece[] {
    this.#held.push(bytes);
    this.#length += bytes.length;
    return this.#complete(this.#splitter.push(bytes));
  }

  /** Gives up what is incomplete. @returns all bytes that wait */
  giveUp(): readonly LegacyPiece[] {
    const pieces = this.#complete(this.#splitter.giveUp());
    return [...pieces, ...this.#take(this.#length).map((bytes) => ({ bytes, telegram: undefined }))];
  }

  #complete(telegrams: readonly LegacyTelegram[]): readonly LegacyPiece[] {
    const [bytes] = this.#take(this.#length - this.#splitter.held);
    if (bytes === undefined) return [];
    const pieces: LegacyPiece[] = [];
    let at = 0;
    const skipTo = (next: number) => {
      if (next > at) pieces.push({ bytes: bytes.subarray(at, next), telegram: undefined });
      at = next;
    };
    for (const telegram of telegrams) {
      const frame = framed(telegram);
      // The frame of a telegram is always the same, so this finds where it was.
      const begin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(frame, at);
      if (begin < 0) continue;
      skipTo(begin);
      pieces.push({ bytes: frame, telegram });
      at += frame.length;
    }
    skipTo(bytes.length);
    return pieces;
  }

  /** Removes bytes at the beginning of those that wait. */
  #take(count: number): readonly Uint8Array[] {
    if (count <= 0) return [];
    const all = this.#held.length === 1 ? (this.#held[0] ?? new Uint8Array(0)) : Buffer.concat(this.#held);
    this.#held = count < all.length ? [all.subarray(count)] : [];
    this.#length -= count;
    return [all.subarray(0, count)];
  }
}

/** Returns a telegram with its frame. */
export function framed({ framing, payload }: LegacyTelegram): Uint8Array {
  return framing === 'text' ? frameText(payload) : frameBinary(payload);
}
