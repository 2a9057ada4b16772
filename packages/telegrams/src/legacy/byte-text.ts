/** As many characters are put together one by one faster than in one call. */
const few = 64;

/** Bytes, from one place up to another, as a text of one character a byte: the legacy text encoding works on that. */
export function charactersOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  if (to - from <= few) {
    for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0);
    return text;
  }
  // A call takes so many arguments safely, on every engine.
  for (let at = from; at < to; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 4096, to)));
  }
  return text;
}

/**
 * The bytes of a text of one character a byte.
 * @throws RangeError for a character above 255.
 */
export function bytesOfCharacters(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 255) throw new RangeError(`a character of one byte expected at ${at}, "${text[at]}" came`);
    bytes[at] = code;
  }
  return bytes;
}
