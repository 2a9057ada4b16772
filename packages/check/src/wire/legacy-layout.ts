/**
 * Layout of the values of a telegram, in the words of the maker's telegram listing: `u16 u32 8*(enum8)`. `[u16 bool]` is a list
 * with its count in front, `3*(u8)` one of fixed length, which has none. `string` has its length in front, `text8` takes eight
 * characters, filled with NUL. `real` is a float of 32 bits.
 */
export type Layout = readonly Part[];

type Part =
  | { readonly kind: 'integer'; readonly bits: number; readonly isSigned: boolean; readonly isTruth: boolean }
  | { readonly kind: 'real' }
  | { readonly kind: 'string' }
  | { readonly kind: 'text'; readonly length: number }
  | { readonly kind: 'list'; readonly of: Layout; readonly count: number | undefined };

/** A number or a text of a telegram, without the counts and lengths. */
export type Leaf = number | string;

/** Values as they are nested: a list is an array, and so is an item of it that has several parts. */
export type Nested = Leaf | readonly Nested[];

/** The values of a telegram do not have their layout. */
export class LayoutProblem extends Error {
  override readonly name = 'LayoutProblem';
}

const known = new Map<string, Layout>();

/** @throws TypeError for what is no layout: a mistake of this program */
export function layoutOf(words: string): Layout {
  const before = known.get(words);
  if (before !== undefined) return before;
  const layout = partsOf(words.match(/\d+\*\(|[[\])]|\w+/g) ?? []);
  known.set(words, layout);
  return layout;
}

function partsOf(tokens: string[]): Layout {
  const parts: Part[] = [];
  for (;;) {
    const token = tokens.shift();
    if (token === undefined || token === ']' || token === ')') return parts;
    parts.push(partOf(token, tokens));
  }
}

function partOf(token: string, tokens: string[]): Part {
  if (token === '[') return { kind: 'list', of: partsOf(tokens), count: undefined };
  if (token.endsWith('(')) return { kind: 'list', of: partsOf(tokens), count: Number.parseInt(token, 10) };
  if (token === 'real' || token === 'string') return { kind: token };
  if (token === 'bool') return { kind: 'integer', bits: 8, isSigned: false, isTruth: true };
  const [, kind, size] = /^(u|i|enum|text)(\d+)$/.exec(token) ?? [];
  if (kind === undefined) throw new TypeError(`no part of a layout: ${token}`);
  if (kind === 'text') return { kind, length: Number(size) };
  return { kind: 'integer', bits: Number(size), isSigned: kind === 'i', isTruth: false };
}

/** What values are read from. */
interface Source {
  /** @returns without its sign: two's complement */
  integer(bits: number): bigint;
  real(): Buffer;
  characters(count: number): string;
  /** Number of bytes, or of characters, that are left. */
  readonly left: number;
}

/** The values of a telegram in all their forms. */
export class LegacyValues {
  /** As devices write them in text: short hex in capitals. */
  readonly text: string;
  readonly bytes: Buffer;
  readonly nested: readonly Nested[];

  private constructor(writer: Writer, nested: readonly Nested[]) {
    this.text = writer.words.join(' ');
    this.bytes = Buffer.concat(writer.pieces);
    this.nested = nested;
  }

  /** Reads values from the text of a telegram, one character a byte. @throws LayoutProblem */
  static ofText(layout: string, text: string): LegacyValues {
    return LegacyValues.#read(layout, new Words(text));
  }

  /** Reads values from the bytes of a telegram. @throws LayoutProblem */
  static ofBytes(layout: string, bytes: Buffer): LegacyValues {
    return LegacyValues.#read(layout, new Bytes(bytes));
  }

  static #read(layout: string, from: Source): LegacyValues {
    const writer = new Writer();
    const nested = copied(layoutOf(layout), from, writer);
    if (from.left > 0) throw new LayoutProblem(`nothing more, and ${from.left} bytes are left over`);
    return new LegacyValues(writer, nested);
  }
}

/** Returns the values that it copies. */
function copied(layout: Layout, from: Source, to: Writer): readonly Nested[] {
  return layout.map((part) => copiedPart(part, from, to));
}

function copiedPart(part: Part, from: Source, to: Writer): Nested {
  switch (part.kind) {
    case 'integer': {
      const value = from.integer(part.bits);
      if (part.isTruth && value > 1n) throw new LayoutProblem(`0 or 1, and ${value} came`);
      to.number(value, part.bits);
      return Number(part.isSigned ? BigInt.asIntN(part.bits, value) : value);
    }
    case 'real': {
      const word = from.real();
      to.real(word);
      return word.readFloatBE();
    }
    case 'text':
      return to.characters(from.characters(part.length));
    case 'string': {
      const length = Number(from.integer(16));
      to.number(BigInt(length), 16);
      return to.characters(length === 0 ? '' : from.characters(length));
    }
    case 'list':
      return copiedList(part.of, part.count, from, to);
  }
}

function copiedList(of: Layout, fixed: number | undefined, from: Source, to: Writer): Nested {
  const count = fixed ?? Number(from.integer(16));
  if (fixed === undefined) to.number(BigInt(count), 16);
  if (of.length === 0 && count > 0) throw new LayoutProblem(`no items, and ${count} are announced`);
  return Array.from({ length: count }, () => {
    const item = copied(of, from, to);
    const [only] = item;
    return item.length === 1 && only !== undefined ? only : item;
  });
}

class Writer {
  readonly words: string[] = [];
  readonly pieces: Buffer[] = [];

  number(value: bigint, bits: number): void {
    this.words.push(value.toString(16).toUpperCase());
    this.pieces.push(Buffer.from(value.toString(16).padStart(bits / 4, '0'), 'hex'));
  }

  real(word: Buffer): void {
    this.words.push(word.toString('hex').toUpperCase());
    this.pieces.push(word);
  }

  /** Returns the text of UTF-8 bytes, without the NUL that fill it. */
  characters(text: string): string {
    const bytes = Buffer.from(text, 'latin1');
    if (text !== '') this.words.push(text);
    this.pieces.push(bytes);
    return bytes.toString('utf8').replace(/\0+$/, '');
  }
}

class Words implements Source {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get left(): number {
    return this.#text.length - this.#at;
  }

  integer(bits: number): bigint {
    const token = this.#token();
    if (!/^([+-]\d{1,20}|[0-9A-Fa-f]{1,20})$/.test(token))
      throw new LayoutProblem(`a number, and "${token}" came`);
    const isDecimal = token.startsWith('+') || token.startsWith('-');
    const value = isDecimal ? BigInt(token.replace('+', '')) : BigInt(`0x${token}`);
    const isWithin = isDecimal ? value >= -(1n << BigInt(bits - 1)) : true;
    if (!isWithin || value >= 1n << BigInt(bits))
      throw new LayoutProblem(`a number of ${bits} bits, and "${token}" came`);
    return BigInt.asUintN(bits, value);
  }

  real(): Buffer {
    const token = this.#token();
    if (/^[0-9A-Fa-f]{8}$/.test(token)) return Buffer.from(token, 'hex');
    if (!/^[+-]\d{1,20}(\.\d{1,20})?$/.test(token))
      throw new LayoutProblem(`a float of eight hex digits, and "${token}" came`);
    const word = Buffer.alloc(4);
    word.writeFloatBE(Number(token));
    return word;
  }

  characters(count: number): string {
    const text = this.#text.slice(this.#at, this.#at + count);
    if (text.length < count) throw new LayoutProblem(`${count} characters, and ${text.length} are left`);
    this.#at += count;
    if (this.left > 0 && this.#text[this.#at] !== ' ') throw new LayoutProblem(`a blank behind "${text}"`);
    this.#at = Math.min(this.#at + 1, this.#text.length);
    return text;
  }

  /** Between two values there is one blank. */
  #token(): string {
    const end = this.#text.indexOf(' ', this.#at);
    const token = this.#text.slice(this.#at, end === -1 ? undefined : end);
    if (token === '') throw new LayoutProblem('one more value, and none came');
    this.#at = end === -1 ? this.#text.length : end + 1;
    return token;
  }
}

class Bytes implements Source {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  get left(): number {
    return this.#rest.length;
  }

  integer(bits: number): bigint {
    return BigInt(`0x${this.#take(bits / 8).toString('hex')}`);
  }

  real(): Buffer {
    return this.#take(4);
  }

  characters(count: number): string {
    return this.#take(count).toString('latin1');
  }

  #take(count: number): Buffer {
    if (count > this.#rest.length)
      throw new LayoutProblem(`${count} more bytes, and ${this.#rest.length} are left`);
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }
}
