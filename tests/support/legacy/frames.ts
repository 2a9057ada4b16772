/** The two ways to put a telegram on the wire: text between 02 and 03, or binary with a length and a checksum. */
export type Dialect = 'A' | 'B';

/** One telegram as it came: what is between the ends of its frame, and which frame that was. */
export interface Frame {
  readonly dialect: Dialect;
  readonly payload: Buffer;
}

/** A stream of bytes that no device of this interface family sends. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

const stx = 0x02;
const etx = 0x03;
const binaryStart = Buffer.from([stx, stx, stx, stx]);

/** Bytes of hex digits; blanks between them say nothing. */
export function hex(digits: string): Buffer {
  const bare = digits.replaceAll(/\s/g, '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(bare)) throw new TypeError(`not pairs of hex digits: ${digits}`);
  return Buffer.from(bare, 'hex');
}

export function xorOf(payload: Buffer): number {
  return payload.reduce((sum, byte) => sum ^ byte, 0);
}

/** A payload as bytes: a string stands for one byte a character. */
export function bytesOf(payload: string | Buffer): Buffer {
  return typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload;
}

export function textFrame(payload: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from([stx]), bytesOf(payload), Buffer.from([etx])]);
}

export function binaryFrame(payload: string | Buffer): Buffer {
  const bytes = bytesOf(payload);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([binaryStart, length, bytes, Buffer.from([xorOf(bytes)])]);
}

export function frame(dialect: Dialect, payload: string | Buffer): Buffer {
  return dialect === 'A' ? textFrame(payload) : binaryFrame(payload);
}

/**
 * Cuts what a scanner sends into telegrams. A scanner has no excuse for anything between two frames, for a wrong
 * checksum or for a length that nothing needs.
 */
export class FrameReader {
  #held = Buffer.alloc(0);

  /** @throws BadFrame */
  push(chunk: Buffer): Frame[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const frames: Frame[] = [];
    for (let next = this.#next(); next !== undefined; next = this.#next()) frames.push(next);
    return frames;
  }

  /** Bytes of a telegram that has not come to its end. */
  get pending(): number {
    return this.#held.length;
  }

  #next(): Frame | undefined {
    const held = this.#held;
    if (held.length === 0) return undefined;
    if (held[0] !== stx) throw new BadFrame(`expected 02, got ${shown(held)}`);
    const start = held.subarray(0, 4);
    if (start.equals(binaryStart.subarray(0, start.length))) {
      return start.length < 4 ? undefined : this.#binary();
    }
    const end = held.indexOf(etx);
    if (end === -1) return undefined;
    return this.#frameFrom({ dialect: 'A', payload: held.subarray(1, end) }, end + 1);
  }

  #binary(): Frame | undefined {
    const held = this.#held;
    if (held.length < 8) return undefined;
    const length = held.readUInt32BE(4);
    if (length > 2 ** 20) throw new BadFrame(`a telegram of ${length} bytes: ${shown(held)}`);
    if (held.length < 9 + length) return undefined;
    const payload = held.subarray(8, 8 + length);
    const sent = held.readUInt8(8 + length);
    if (sent !== xorOf(payload))
      throw new BadFrame(`checksum ${sent}, ${xorOf(payload)} counted: ${shown(held)}`);
    return this.#frameFrom({ dialect: 'B', payload }, 9 + length);
  }

  #frameFrom({ dialect, payload }: Frame, size: number): Frame {
    const frame = { dialect, payload: Buffer.from(payload) };
    this.#held = this.#held.subarray(size);
    return frame;
  }
}

function shown(bytes: Buffer): string {
  return bytes.subarray(0, 60).toString('hex');
}
