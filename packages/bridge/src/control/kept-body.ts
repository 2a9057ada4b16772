import { createHash, type Hash } from 'node:crypto';
import type { SharedLimit } from '@azimuth/http';
import type { UnkeptBody } from '../timeline/timeline-entry.js';
import { longestKeptBody } from './limits.js';

/** A body as the timeline has it. */
export interface TimelineBody {
  /** Empty if it is not kept. */
  readonly body: Uint8Array;
  readonly unkept?: UnkeptBody;
}

const nothing = new Uint8Array(0);

/** A body on its way. It is kept as long as it is short enough, and room is left. Its length and hash are always known. */
export class KeptBody {
  readonly #room: SharedLimit;
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Set if the body is not kept. */
  #hash: Hash | undefined;

  /** @param room bytes of all bodies that are kept at the same time */
  constructor(room: SharedLimit) {
    this.#room = room;
  }

  add(piece: Uint8Array): void {
    const fits =
      this.#hash === undefined &&
      this.#length + piece.length <= longestKeptBody &&
      this.#room.tryAdd(piece.length);
    if (fits) this.#pieces.push(piece);
    else this.#hashed().update(piece);
    this.#length += piece.length;
  }

  /** Returns the body, and forgets it. */
  take(): TimelineBody {
    if (this.#hash !== undefined) return this.takeHash();
    const body = Buffer.concat(this.#pieces);
    this.#free();
    return { body };
  }

  /**
   * Returns a part of the body in its place, and forgets it.
   * @param shown returns what may be seen of the body; undefined for length and hash only
   */
  takeShown(shown: (body: Uint8Array) => Uint8Array | undefined): TimelineBody {
    if (this.#hash !== undefined || this.#length === 0) return this.takeHash();
    const body = shown(Buffer.concat(this.#pieces));
    if (body === undefined) return this.takeHash();
    this.#free();
    return { body };
  }

  /** Returns length and hash of the body in its place, and forgets it. An empty body has none. */
  takeHash(): TimelineBody {
    if (this.#length === 0) return { body: nothing };
    const sha256 = this.#hashed().digest('hex');
    return { body: nothing, unkept: { length: this.#length, sha256 } };
  }

  #hashed(): Hash {
    if (this.#hash !== undefined) return this.#hash;
    this.#hash = createHash('sha256');
    for (const piece of this.#pieces) this.#hash.update(piece);
    this.#free();
    return this.#hash;
  }

  #free(): void {
    this.#room.add(-this.#pieces.reduce((sum, { length }) => sum + length, 0));
    this.#pieces = [];
  }
}
