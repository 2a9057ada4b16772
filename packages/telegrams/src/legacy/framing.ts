/** Up to this many characters, a loop is faster than one call. */
const fewCharacters = 64;

/** Converts bytes to a text of one character per byte. The encoding of legacy texts starts from this. */
export function charactersOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  if (to - from <= fewCharacters) {
    for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0);
    return text;
  }
  // Every JavaScript engine accepts this many arguments.
  for (let at = from; at < to; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 4096, to)));
  }
  return text;
}

/**
 * Converts a text of one character per byte to bytes.
 * @throws RangeError for a character above 255.
 */
export function bytesOfCharacters(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 255) throw new RangeError(`expected a character of one byte at ${at}, got "${text[at]}"`);
    bytes[at] = code;
  }
  return bytes;
}

/**
 * The framing of a telegram of the legacy protocol:
 *
 * | framing | bytes |
 * |---|---|
 * | text (interface A) | 02, payload, 03; a payload contains neither of the two |
 * | binary (interface B) | 02 02 02 02, bytes of the payload (u32, big-endian), payload, XOR of the payload (u8) |
 */
export type Framing = 'text' | 'binary';

/**
 * The reason why a frame is broken: the checksum of a binary one is wrong, it is longer than allowed, or its end has not come
 * in time.
 */
export type BrokenFrame = 'damaged' | 'oversized' | 'unfinished';

/** A telegram without its frame. */
export interface LegacyTelegram {
  readonly framing: Framing;
  /** Text: one character per byte. */
  readonly payload: Uint8Array;
  /** Set for a broken frame, which has no payload. Such frames are reported on request only. */
  readonly broken?: BrokenFrame;
}

export const textStart = 0x02;
export const textEnd = 0x03;

/** Bytes around the payload of a binary frame. */
export const binaryFrame = { markers: 4, length: 4, head: 8, checksum: 1 } as const;

/**
 * Wraps a text payload: a text of one character per byte, or bytes.
 * @throws RangeError for a character above 255, and for 02 and 03, which would end the telegram.
 */
export function frameText(payload: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof payload === 'string' ? bytesOfCharacters(payload) : payload;
  for (const mark of [textStart, textEnd]) {
    const at = bytes.indexOf(mark);
    if (at !== -1) {
      throw new RangeError(`a text telegram cannot contain the byte 0${mark}, got it at ${at}`);
    }
  }
  const frame = new Uint8Array(bytes.length + 2);
  frame[0] = textStart;
  frame.set(bytes, 1);
  frame[frame.length - 1] = textEnd;
  return frame;
}

/** Wraps a binary payload. */
export function frameBinary(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const { markers, length, head, checksum } = binaryFrame;
  const frame = new Uint8Array(head + payload.length + checksum);
  frame.fill(textStart, 0, markers);
  // A DataView of a small array would cost more than the rest.
  for (let byte = 0; byte < length; byte++) frame[head - 1 - byte] = payload.length >> (8 * byte);
  frame.set(payload, head);
  let xor = 0;
  for (let at = 0; at < payload.length; at++) xor ^= payload[at] ?? 0;
  frame[head + payload.length] = xor;
  return frame;
}
