import { constants, deflateRawSync } from 'node:zlib';

/** A stored block of DEFLATE that is not the last one: a byte, and its length twice (RFC 1951 §3.2.4). */
const storedHeader = 5;

/** Bytes that one holds. */
const longestStored = 0xffff;

/** The bytes 00 00 FF FF that a message ends in, and that are not sent (RFC 7692 §7.2.1). */
const unsentEnd = 4;

/** Small messages need little memory to compress: 8 KiB beside the window, for no time that could be measured. */
const memoryLevel = 5;

const textOpcode = 0x81;
const compressedTextOpcode = 0xc1;

/**
 * The part of a message that is the same for all its receivers: turned into bytes, and compressed, once. What differs, a
 * short beginning, goes uncompressed in front of it, so that the compressed part is shared too.
 */
export class Tail {
  readonly text: string;
  #plain: Buffer | undefined;
  readonly #compressed = new Map<number, Buffer>();
  #frame:
    | { readonly head: Buffer; readonly windowBits: number | undefined; readonly bytes: Buffer }
    | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * A whole WebSocket frame of a text message (RFC 6455 §5.2).
   * @param windowBits those that were agreed on for permessage-deflate, 8 to 15; undefined for a plain frame
   */
  frame(head: Buffer, windowBits: number | undefined): Buffer {
    const made = this.#frame;
    if (made !== undefined && made.windowBits === windowBits && made.head.equals(head)) return made.bytes;
    const bytes =
      windowBits === undefined
        ? framed(textOpcode, [head, this.#asBytes])
        : framed(compressedTextOpcode, [...stored(head), this.#deflated(windowBits)]);
    this.#frame = { head, windowBits, bytes };
    return bytes;
  }

  get #asBytes(): Buffer {
    this.#plain ??= Buffer.from(this.text);
    return this.#plain;
  }

  #deflated(windowBits: number): Buffer {
    const made = this.#compressed.get(windowBits);
    if (made !== undefined) return made;
    const whole = deflateRawSync(this.#asBytes, {
      // Node makes 9 of 8, and zlib looks back 250 bytes at most then: in reach of either window.
      windowBits,
      memLevel: memoryLevel,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    const deflated = whole.subarray(0, -unsentEnd);
    this.#compressed.set(windowBits, deflated);
    return deflated;
  }
}

function stored(head: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let begin = 0; begin < head.length; begin += longestStored) {
    const content = head.subarray(begin, begin + longestStored);
    const header = Buffer.alloc(storedHeader);
    header.writeUInt16LE(content.length, 1);
    header.writeUInt16LE(0xffff - content.length, 3);
    blocks.push(header, content);
  }
  return blocks;
}

/** Server's frames are not masked (RFC 6455 §5.1). */
function framed(first: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([headerOf(first, length), ...parts]);
}

function headerOf(first: number, length: number): Buffer {
  if (length < 126) return Buffer.of(first, length);
  if (length < 0x10000) return Buffer.of(first, 126, length >> 8, length & 0xff);
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = 127;
  header.writeUIntBE(length, 4, 6);
  return header;
}
