import { Refusal } from './envelope.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 bytes of a text, one character a byte: the legacy text telegrams are byte strings. */
export function bytesOfText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The first whole characters of a text in so many UTF-8 bytes, filled with NUL. */
export function paddedBytesOfText(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  encoder.encodeInto(text, bytes);
  return bytes;
}

/** The text of UTF-8 bytes. Throws a {@link Refusal} with status 2 if they are not UTF-8. */
export function textOfBytes(bytes: Uint8Array, at: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refusal('invalidData', at, 'the bytes of the string are not UTF-8');
  }
}

/** How many bytes the next `count` UTF-8 characters take, from their first bytes; `peek` gives the byte at an offset. */
export function utf8Length(count: number, peek: (offset: number) => number | undefined): number {
  let length = 0;
  for (let character = 0; character < count; character++) {
    const lead = peek(length) ?? 0;
    length += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }
  return length;
}

/** A token that no value of its type is written as; the legacy protocol has error codes of their own for both. */
export class TokenRefusal extends Refusal {
  /** It has characters that do not belong there, or stands for a number of more bits than the type has. */
  readonly wrong: 'character' | 'overflow';

  constructor(wrong: 'character' | 'overflow', at: string, reason: string) {
    super(wrong === 'character' ? 'invalidData' : 'outOfRange', at, reason);
    this.wrong = wrong;
  }
}

/** Writes the legacy text encoding (interface A): tokens with one blank between them. */
export class TextWriter {
  readonly #tokens: string[] = [];

  /** One token of ASCII characters without a blank. */
  token(token: string): void {
    this.#tokens.push(token);
  }

  /** Bytes as they are, blanks included. */
  raw(bytes: Uint8Array): void {
    this.#tokens.push(String.fromCharCode(...bytes));
  }

  /** What was written so far, one character a byte. */
  written(): string {
    return this.#tokens.join(' ');
  }
}

/**
 * Reads the legacy text encoding from a byte string (one character a byte). Several blanks between tokens are as
 * good as one. Throws a {@link Refusal} with status 1 if a token is missing.
 */
export class TextReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Is there nothing left but blanks? */
  get atEnd(): boolean {
    return this.#text.slice(this.#at).trim() === '';
  }

  token(at: string): string {
    while (this.#text[this.#at] === ' ') this.#at++;
    const end = this.#text.indexOf(' ', this.#at);
    const token = this.#text.slice(this.#at, end === -1 ? undefined : end);
    if (token === '') throw new Refusal('parsingFailed', at, 'a value is missing');
    this.#at += token.length;
    return token;
  }

  /** The blank before raw bytes, then exactly `count` of them. */
  raw(count: number, at: string): Uint8Array {
    if (this.#text[this.#at] === ' ') this.#at++;
    const characters = this.#text.slice(this.#at, this.#at + count);
    if (characters.length < count) {
      throw new Refusal('parsingFailed', at, `expected ${count} characters, got ${characters.length}`);
    }
    this.#at += count;
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  }

  /** The raw byte at this offset, counted from behind the blank, without moving on; undefined beyond the end. */
  peek(offset: number): number | undefined {
    const start = this.#text[this.#at] === ' ' ? this.#at + 1 : this.#at;
    return this.#text[start + offset]?.charCodeAt(0);
  }
}
