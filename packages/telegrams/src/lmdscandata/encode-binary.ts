import { type LmdHead, type LmdScan, lmdName } from './lmd-scan.js';
import { bytesOfString, type LmdWriter, mostBytes, writeBody } from './write-body.js';

/**
 * Writes a scan in binary (layout.ts): with a word the payload of a telegram, without one what stands behind the name.
 * Numbers beyond their width wrap, so counters and times may be handed over as they are.
 * @throws RangeError for a content that is not 5 characters of ASCII, the type of an event that is not 4, and more than
 * 65535 of what is counted.
 */
export function encodeLmdBinary(scan: LmdScan, head?: LmdHead): Uint8Array {
  const out = new BinaryLmdWriter(32 + mostBytes(scan));
  if (head !== undefined) out.head(head);
  writeBody(out, scan);
  return out.written();
}

class BinaryLmdWriter implements LmdWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  head(word: LmdHead): void {
    this.characters(`${word} ${lmdName} `);
  }

  u8(value: number): void {
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  u16(value: number): void {
    this.#view.setUint16(this.#at, value);
    this.#at += 2;
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value);
    this.#at += 4;
  }

  i16(value: number): void {
    this.u16(value);
  }

  i32(value: number): void {
    this.u32(value);
  }

  f32(value: number): void {
    this.#view.setFloat32(this.#at, value);
    this.#at += 4;
  }

  characters(text: string): void {
    for (let index = 0; index < text.length; index++) this.u8(text.charCodeAt(index));
  }

  string(text: string): void {
    const bytes = bytesOfString(text);
    this.u16(bytes.length);
    this.u8s(bytes);
  }

  u8s(values: Uint8Array): void {
    this.#bytes.set(values, this.#at);
    this.#at += values.length;
  }

  u16s(values: Uint16Array): void {
    const view = this.#view;
    let at = this.#at;
    for (let index = 0; index < values.length; index++) {
      view.setUint16(at, values[index] ?? 0);
      at += 2;
    }
    this.#at = at;
  }
}
