import { TelegramError } from '../telegram-error.js';

/** An addition to a message. A receiver skips the types that it does not know. */
export interface Tlv {
  /** 16 bits. */
  readonly type: number;
  /** Up to 65535 bytes. */
  readonly value: Uint8Array;
}

/** Bytes of type and length. */
const prefix = 4;

/** Bytes of TLVs on the wire. */
export function tlvBytes(tlvs: readonly Tlv[]): number {
  return tlvs.reduce((sum, { value }) => sum + prefix + value.length, 0);
}

/**
 * Writes TLVs (IEEE 1588-2019, 14.1), one behind the other:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u16 | type |
 * | 2 | u16 | bytes of the value |
 * | 4 … | | value |
 */
export function writeTlvs(bytes: Uint8Array, offset: number, tlvs: readonly Tlv[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = offset;
  for (const { type, value } of tlvs) {
    view.setUint16(at, type);
    view.setUint16(at + 2, value.length);
    bytes.set(value, at + prefix);
    at += prefix + value.length;
  }
}

/**
 * Reads the TLVs from an offset up to the end of a message. The values are parts of the message, not copies.
 * @throws TelegramError if the last one is cut off
 */
export function readTlvs(view: DataView, offset: number): readonly Tlv[] {
  const tlvs: Tlv[] = [];
  for (let at = offset; at < view.byteLength; ) {
    const left = view.byteLength - at;
    if (left < prefix) throw new TelegramError('type and length of a TLV', `${left} bytes`, at);
    const length = view.getUint16(at + 2);
    if (length > left - prefix) {
      throw new TelegramError(`at most ${left - prefix} bytes of a TLV`, `${length}`, at + 2);
    }
    const value = new Uint8Array(view.buffer, view.byteOffset + at + prefix, length);
    tlvs.push({ type: view.getUint16(at), value });
    at += prefix + length;
  }
  return tlvs;
}
