import { Refusal } from './envelope.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the UTF-8 bytes of a text, one character per byte: the legacy text telegrams are byte strings. */
export function bytesOfText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the first complete characters of a text in this many UTF-8 bytes, filled with NUL. */
export function paddedBytesOfText(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  encoder.encodeInto(text, bytes);
  return bytes;
}

/** Returns the text of UTF-8 bytes. Throws a {@link Refusal} with status 2 if they are not UTF-8. */
export function textOfBytes(bytes: Uint8Array, at: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refusal('invalidData', at, 'the bytes of the string are not UTF-8');
  }
}

/**
 * Returns the number of bytes of the next `count` UTF-8 characters, from their first bytes.
 * @param peek returns the byte at an offset
 */
export function utf8Length(count: number, peek: (offset: number) => number | undefined): number {
  let length = 0;
  for (let character = 0; character < count; character++) {
    const lead = peek(length) ?? 0;
    length += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }
  return length;
}

/**
 * Refusal of a token that is not a written form of a value of its type. The legacy protocol has error codes of its own for
 * both problems.
 */
export class TokenRefusal extends Refusal {
  /** Problem: the token has invalid characters, or stands for a number of more bits than the type has. */
  readonly wrong: 'character' | 'overflow';

  constructor(wrong: 'character' | 'overflow', at: string, reason: string) {
    super(wrong === 'character' ? 'invalidData' : 'outOfRange', at, reason);
    this.wrong = wrong;
  }
}

/** Writes the legacy text encoding (interface A): tokens with one blank between them. */
export class TextWriter {
  readonly #tokens: string[] = [];

  /** Writes one token of ASCII characters without a blank. */
  token(token: string): void {
    this.#tokens.push(token);
  }

  /** Writes bytes as they are, blanks included. */
  raw(bytes: Uint8Array): void {
    this.#tokens.push(String.fromCharCode(...bytes));
  }

  /** Returns the text that was written so far, one character per byte. */
  written(): string {
    return this.#tokens.join(' ');
  }
}

/**
 * Reads the legacy text encoding from a byte string (one character per byte). Several blanks between tokens count as one.
 * Throws a {@link Refusal} with status 1 if a token is missing.
 */
export class TextReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True if only blanks are left to read. */
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

  /** Reads the blank before raw bytes, then exactly `count` of them. */
  raw(count: number, at: string): Uint8Array {
    if (this.#text[this.#at] === ' ') this.#at++;
    const characters = this.#text.slice(this.#at, this.#at + count);
    if (characters.length < count) {
      throw new Refusal('parsingFailed', at, `expected ${count} characters, got ${characters.length}`);
    }
    this.#at += count;
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  }

  /**
   * Returns the raw byte at this offset, counted from behind the blank, without moving on; undefined beyond the end.
   */
  peek(offset: number): number | undefined {
    const start = this.#text[this.#at] === ' ' ? this.#at + 1 : this.#at;
    return this.#text[start + offset]?.charCodeAt(0);
  }
}
