/*
 * The frames of the legacy protocol, read a second time: nothing here comes from the code of the scanner, so that a fault
 * there cannot hide itself.
 *
 *     text    02 payload 03
 *     binary  02 02 02 02, bytes of the payload (u32, big-endian), payload, XOR of the payload
 */

/** How a telegram is written. */
export type LegacyForm = 'text' | 'binary';

/** A telegram as it came. */
export interface LegacyFrame {
  readonly form: LegacyForm;
  readonly payload: Buffer;
  /** The bytes with their frame. */
  readonly bytes: Buffer;
}

/** Longest telegram that is read, in bytes. Scans of all profiles as text are shorter. */
const longestTelegram = 1024 * 1024;

/** Returns a payload with its frame. */
export function legacyFrame(payload: Buffer, form: LegacyForm): Buffer {
  if (form === 'text') return Buffer.concat([Buffer.of(2), payload, Buffer.of(3)]);
  const head = Buffer.of(2, 2, 2, 2, 0, 0, 0, 0);
  head.writeUInt32BE(payload.length, 4);
  return Buffer.concat([head, payload, Buffer.of(xorOf(payload))]);
}

function xorOf(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0);
}

/** Reads telegrams from a stream. Every byte has to belong to a telegram. */
export class LegacyFrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #problem: string | undefined;

  /** What is wrong with the stream; undefined as long as all bytes are telegrams. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Returns the telegrams that are complete with these bytes. */
  push(piece: Buffer): readonly LegacyFrame[] {
    const frames: LegacyFrame[] = [];
    if (this.#problem !== undefined) return frames;
    this.#rest = Buffer.concat([this.#rest, piece]);
    for (;;) {
      const frame = this.#next();
      if (frame === undefined) return frames;
      frames.push(frame);
    }
  }

  #next(): LegacyFrame | undefined {
    const rest = this.#rest;
    if (rest.length === 0) return undefined;
    if (rest[0] !== 2) return this.#fail(`a telegram begins with 02, came ${hexOf(rest.subarray(0, 16))}`);
    if (rest.length < 2) return undefined;
    return rest[1] === 2 ? this.#binary(rest) : this.#text(rest);
  }

  #text(rest: Buffer): LegacyFrame | undefined {
    const end = rest.indexOf(3);
    if (end === -1) return this.#bounded(rest.length);
    return this.#taken('text', rest.subarray(1, end), end + 1);
  }

  #binary(rest: Buffer): LegacyFrame | undefined {
    if (rest.length < 8) return undefined;
    const marks = rest.subarray(0, 4);
    if (!marks.equals(Buffer.of(2, 2, 2, 2)))
      return this.#fail(`a binary telegram begins with 02020202, came ${hexOf(marks)}`);
    const length = rest.readUInt32BE(4);
    if (length > longestTelegram) return this.#bounded(length);
    if (rest.length < 9 + length) return undefined;
    const payload = rest.subarray(8, 8 + length);
    const sum = xorOf(payload);
    const came = rest[8 + length];
    if (came !== sum)
      return this.#fail(`the check byte of ${hexOf(payload.subarray(0, 24))} is ${sum}, came ${came}`);
    return this.#taken('binary', payload, 9 + length);
  }

  #bounded(length: number): undefined {
    if (length > longestTelegram)
      this.#fail(`a telegram has at most ${longestTelegram} bytes, came ${length}`);
  }

  #taken(form: LegacyForm, payload: Buffer, length: number): LegacyFrame {
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return { form, payload, bytes };
  }

  #fail(problem: string): undefined {
    this.#problem = problem;
  }
}

/** Returns bytes as hex digits in capitals. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

/** Returns the bytes of hex digits with or without blanks between them. @throws TypeError for anything else */
export function bytesOfHex(digits: string): Buffer {
  const bare = digits.replaceAll(/\s/g, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(bare)) throw new TypeError(`no hex digits: ${digits}`);
  return Buffer.from(bare, 'hex');
}
