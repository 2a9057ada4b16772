import { type LmdHead, type LmdScan, lmdName } from './lmd-scan.js';
import { bytesOfString, type LmdWriter, mostBytes, writeBody } from './write-body.js';

/**
 * Writes a scan as text (layout.ts), one byte a character: with a word the payload of a telegram, without one what stands
 * behind the name. Numbers beyond their width wrap, so counters and times may be handed over as they are.
 * @throws RangeError for a content that is not 5 characters of ASCII, the type of an event that is not 4, and more than
 * 65535 of what is counted.
 */
export function encodeLmdText(scan: LmdScan, head?: LmdHead): Uint8Array {
  // A number takes two digits a byte and a blank, which is three bytes for each one in binary at most.
  const out = new TextLmdWriter(32 + 3 * mostBytes(scan));
  if (head !== undefined) out.head(head);
  writeBody(out, scan);
  return out.written();
}

const blank = 0x20;
const digits = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0));
const float = new DataView(new ArrayBuffer(4));

class TextLmdWriter implements LmdWriter {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  /** All of it, without the blank behind the last token. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at - 1);
  }

  head(word: LmdHead): void {
    this.characters(word);
    this.characters(lmdName);
  }

  u8(value: number): void {
    this.u32(value & 0xff);
  }

  u16(value: number): void {
    this.u32(value & 0xffff);
  }

  u32(value: number): void {
    const word = value >>> 0;
    // The first digit that is not 0, or the last one.
    this.#hex(word, 28 - (Math.min(Math.clz32(word), 28) & ~3));
  }

  i16(value: number): void {
    this.u16(value);
  }

  i32(value: number): void {
    this.u32(value);
  }

  f32(value: number): void {
    float.setFloat32(0, value);
    this.#hex(float.getUint32(0), 28);
  }

  characters(text: string): void {
    for (let index = 0; index < text.length; index++) this.#bytes[this.#at + index] = text.charCodeAt(index);
    this.#at += text.length;
    this.#blank();
  }

  string(text: string): void {
    const bytes = bytesOfString(text);
    this.u16(bytes.length);
    if (bytes.length === 0) return;
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    this.#blank();
  }

  u8s(values: Uint8Array): void {
    for (const value of values) this.u32(value);
  }

  /** As for single numbers, written out: most of a telegram comes through here. */
  u16s(values: Uint16Array): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < values.length; index++) {
      const value = values[index] ?? 0;
      if (value > 0xf) {
        if (value > 0xff) {
          if (value > 0xfff) bytes[at++] = digits[value >> 12] ?? 0;
          bytes[at++] = digits[(value >> 8) & 0xf] ?? 0;
        }
        bytes[at++] = digits[(value >> 4) & 0xf] ?? 0;
      }
      bytes[at++] = digits[value & 0xf] ?? 0;
      bytes[at++] = blank;
    }
    this.#at = at;
  }

  /** The digits of a number from the one of that bit on. */
  #hex(word: number, from: number): void {
    for (let bit = from; bit >= 0; bit -= 4) this.#bytes[this.#at++] = digits[(word >>> bit) & 0xf] ?? 0;
    this.#blank();
  }

  #blank(): void {
    this.#bytes[this.#at++] = blank;
  }
}
