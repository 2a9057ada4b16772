/** Bytes as a text of one character a byte, which is what the legacy text encoding of values works on. */
export function charactersOf(bytes: Uint8Array): string {
  let text = '';
  // A call takes so many arguments safely, on every engine.
  for (let at = 0; at < bytes.length; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
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
