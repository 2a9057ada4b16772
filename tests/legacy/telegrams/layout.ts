/**
 * The layout of the values of a telegram, in the words of the maker's telegram listing: `u16 u32 8*(enum8)`. `[u16 bool]` is a
 * list with its count in front, `3*(u8)` one of fixed length, which has none; `string` has its length in front, `text8` takes
 * eight characters.
 */
export type Layout = readonly Part[];

type Part =
  | { readonly kind: 'integer'; readonly bits: number; readonly isSigned: boolean }
  | { readonly kind: 'real' }
  | { readonly kind: 'string' }
  | { readonly kind: 'text'; readonly length: number }
  | { readonly kind: 'list'; readonly of: Layout; readonly count: number | undefined };

export function layoutOf(words: string): Layout {
  const tokens = words.match(/\d+\*\(|[[\])]|\w+/g) ?? [];
  return partsOf(tokens);
}

/** Takes the tokens of one level, and the bracket behind them. */
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
  if (token === 'bool') return { kind: 'integer', bits: 8, isSigned: false };
  const [, kind, size] = /^(u|i|enum|text)(\d+)$/.exec(token) ?? [];
  if (kind === undefined) throw new TypeError(`no part of a layout: ${token}`);
  if (kind === 'text') return { kind, length: Number(size) };
  return { kind: 'integer', bits: Number(size), isSigned: kind === 'i' };
}

/** Where values come from, and where they go: text, with the kinds of numbers that clients write, or binary. */
interface Source {
  integer(bits: number): bigint;
  real(): Buffer;
  characters(count: number): string;
  readonly atEnd: boolean;
}

interface Sink {
  /** @param value without its sign */
  integer(value: bigint, bits: number, isSigned: boolean): void;
  real(word: Buffer): void;
  characters(text: string): void;
}

/** The values of a text telegram as bytes. */
export function binaryOf(layout: Layout, text: string): Buffer {
  const sink = new Bytes();
  convert(layout, new Tokens(text), sink);
  return sink.all;
}

/** How an integer is written. @param value without its sign */
export type Notation = (value: bigint, bits: number, isSigned: boolean) => string;

/** As devices answer. */
const shortHex: Notation = (value) => value.toString(16).toUpperCase();

/** Notations that clients may use instead. */
export const otherNotations: Readonly<Record<string, Notation>> = {
  'hex with all digits': (value, bits) => value.toString(16).padStart(bits / 4, '0'),
  'hex with more zeros than its type has digits': (value) => value.toString(16).padStart(20, '0'),
  'signed decimals': (value, bits, isSigned) => {
    const number = isSigned ? BigInt.asIntN(bits, value) : value;
    return number < 0n ? `${number}` : `+${number}`;
  },
  'signed decimals with leading zeros': (value, bits, isSigned) => {
    const number = isSigned ? BigInt.asIntN(bits, value) : value;
    return number < 0n ? `-000${-number}` : `+000${number}`;
  },
};

/** The values of a binary telegram as text. */
export function textOf(layout: Layout, bytes: Buffer, notation = shortHex): string {
  const sink = new Words(notation);
  convert(layout, new ByteSource(bytes), sink);
  return sink.all;
}

function convert(layout: Layout, from: Source, to: Sink): void {
  copy(layout, from, to);
  if (!from.atEnd) throw new TypeError('values are left over');
}

function copy(layout: Layout, from: Source, to: Sink): void {
  for (const part of layout) {
    switch (part.kind) {
      case 'integer':
        to.integer(from.integer(part.bits), part.bits, part.isSigned);
        break;
      case 'real':
        to.real(from.real());
        break;
      case 'text':
        to.characters(from.characters(part.length));
        break;
      case 'string': {
        const length = from.integer(16);
        to.integer(length, 16, false);
        if (length > 0n) to.characters(from.characters(Number(length)));
        break;
      }
      case 'list': {
        const count = part.count ?? Number(from.integer(16));
        if (part.count === undefined) to.integer(BigInt(count), 16, false);
        for (let item = 0; item < count; item++) copy(part.of, from, to);
      }
    }
  }
}

class Tokens implements Source {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  get atEnd(): boolean {
    return this.#rest === '';
  }

  #token(): string {
    const [all = '', token = ''] = /^([^ ]+)(?: |$)/.exec(this.#rest) ?? [];
    if (token === '') throw new TypeError(`a value is missing in front of "${this.#rest}"`);
    this.#rest = this.#rest.slice(all.length);
    return token;
  }

  integer(bits: number): bigint {
    const token = this.#token();
    const value = /^[+-]/.test(token) ? BigInt(token.replace('+', '')) : BigInt(`0x${token}`);
    return BigInt.asUintN(bits, value);
  }

  real(): Buffer {
    const token = this.#token();
    if (!/^[+-]/.test(token)) return Buffer.from(token, 'hex');
    const word = Buffer.alloc(4);
    word.writeFloatBE(Number(token));
    return word;
  }

  characters(count: number): string {
    const characters = this.#rest.slice(0, count);
    if (characters.length < count) throw new TypeError(`${count} characters expected, got "${characters}"`);
    this.#rest = this.#rest.slice(count).replace(/^ /, '');
    return characters;
  }
}

class ByteSource implements Source {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  get atEnd(): boolean {
    return this.#rest.length === 0;
  }

  #take(count: number): Buffer {
    if (this.#rest.length < count)
      throw new TypeError(`${count} bytes expected, ${this.#rest.length} are left`);
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
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
}

class Bytes implements Sink {
  readonly #pieces: Buffer[] = [];

  get all(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  integer(value: bigint, bits: number): void {
    this.#pieces.push(Buffer.from(value.toString(16).padStart(bits / 4, '0'), 'hex'));
  }

  real(word: Buffer): void {
    this.#pieces.push(word);
  }

  characters(text: string): void {
    this.#pieces.push(Buffer.from(text, 'latin1'));
  }
}

class Words implements Sink {
  readonly #words: string[] = [];
  readonly #notation: Notation;

  constructor(notation: Notation) {
    this.#notation = notation;
  }

  get all(): string {
    return this.#words.join(' ');
  }

  integer(value: bigint, bits: number, isSigned: boolean): void {
    this.#words.push(this.#notation(value, bits, isSigned));
  }

  real(word: Buffer): void {
    this.#words.push(word.toString('hex').toUpperCase());
  }

  characters(text: string): void {
    this.#words.push(text);
  }
}
