import { readFileSync } from 'node:fs';
import type { PublishedEndpoint, PublishedOperation, PublishedType } from './published-interface.js';

/**
 * Reads `published.txt`: what is published of the interface, in short. An endpoint begins at the left margin, and goes on in
 * the lines that are indented:
 *
 *     # Group
 *     Name read-only: type
 *     Name writable Level: type
 *     Name method Level: takes {…} gives {…}
 *     name GET query name
 *     name PUT takes media-type
 *
 * A method without a level states none; `challenges` in place of `gives` answers outside of `data`. A type is
 * `uint8 0..7`, `string 0..32`, `integer {0 OFF; 1 ON}`, `level`, `{member: type; member: type}`, a type with the number of its
 * items behind it as in `uint8[4]` or `boolean[0..12]`, or the name of a type that stands above the first group. A default
 * follows behind ` = `, as JSON; items that have one of their own stand in parentheses.
 */
export function readPublished(): PublishedEndpoint[] {
  const text = readFileSync(new URL('published.txt', import.meta.url), 'utf8');
  const named = new Map<string, PublishedType>();
  const endpoints = new Map<string, { group: string; operations: Map<string, PublishedOperation> }>();
  let group: string | undefined;
  for (const entry of text.split(/\n(?=\S)/)) {
    const words = new Words(entry, named);
    const name = words.readWord();
    if (name === '#') group = entry.slice(1).trim();
    else if (group === undefined) named.set(name, words.expect(':').type());
    else {
      const endpoint = endpoints.get(name) ?? { group, operations: new Map() };
      endpoints.set(name, endpoint);
      for (const [verb, operation] of operationsOf(words)) endpoint.operations.set(verb, operation);
    }
    if (words.next !== undefined && name !== '#') throw words.problem('the end of the entry');
  }
  return [...endpoints].map(([name, endpoint]) => ({ name, ...endpoint }));
}

const nothing: PublishedOperation = {
  levels: [],
  request: undefined,
  place: undefined,
  response: undefined,
  bodies: [],
  query: [],
};

function operationsOf(words: Words): [verb: string, PublishedOperation][] {
  const kind = words.readWord();
  const levels = words.next === undefined || /^(:|takes|query)$/.test(words.next) ? [] : [words.readWord()];
  switch (kind) {
    case 'read-only':
    case 'writable': {
      const value = words.expect(':').type();
      const get: PublishedOperation = { ...nothing, place: 'data', response: value };
      if (kind === 'read-only') return [['GET', get]];
      return [
        ['GET', get],
        ['POST', { ...nothing, levels, request: value }],
      ];
    }
    case 'method': {
      if (words.next === ':') words.readWord();
      const request = words.accepts('takes') ? words.type() : undefined;
      const place = words.accepts('gives') ? 'data' : words.accepts('challenges') ? 'challenge' : undefined;
      const response = place === undefined ? undefined : words.type();
      return [['POST', { ...nothing, levels, request, place, response }]];
    }
    default: {
      const bodies = words.accepts('takes') ? [words.readWord()] : [];
      const query = words.accepts('query') ? [words.readWord()] : [];
      return [[kind, { ...nothing, levels, bodies, query }]];
    }
  }
}

const word = /"[^"]*"|[{}[\]();:=]|[^\s{}[\]();:="]+/g;

const open: PublishedType = {
  type: '',
  minimum: undefined,
  maximum: undefined,
  minLength: undefined,
  maxLength: undefined,
  minItems: undefined,
  maxItems: undefined,
  names: undefined,
  levels: false,
  initial: undefined,
  of: undefined,
  members: [],
};

/** The words of an entry, read from left to right. */
class Words {
  readonly #words: readonly string[];
  #at = 0;

  constructor(
    readonly entry: string,
    readonly named: ReadonlyMap<string, PublishedType>,
  ) {
    this.#words = entry.match(word) ?? [];
  }

  get next(): string | undefined {
    return this.#words[this.#at];
  }

  problem(expected: string): Error {
    return new TypeError(`expected ${expected}, not ${this.next ?? 'the end'}, in: ${this.entry}`);
  }

  readWord(): string {
    const { next } = this;
    if (next === undefined) throw this.problem('a word');
    this.#at++;
    return next;
  }

  accepts(wanted: string): boolean {
    if (this.next !== wanted) return false;
    this.#at++;
    return true;
  }

  expect(wanted: string): this {
    if (!this.accepts(wanted)) throw this.problem(wanted);
    return this;
  }

  type(): PublishedType {
    let type = this.#plain();
    while (this.accepts('[')) {
      const [least = 0, most] = bounds(this.readWord());
      this.expect(']');
      type = { ...open, type: 'array', of: type, minItems: least, maxItems: most };
    }
    return this.accepts('=') ? { ...type, initial: this.#json() } : type;
  }

  #plain(): PublishedType {
    if (this.accepts('(')) {
      const inner = this.type();
      this.expect(')');
      return inner;
    }
    if (this.accepts('{')) return { ...open, type: 'struct', members: this.#members() };
    const type = this.readWord();
    const named = this.named.get(type);
    if (named !== undefined) return named;
    if (type === 'level') return { ...open, type: 'string', levels: true };
    if (this.accepts('{')) return { ...open, type, names: this.#names() };
    if (!this.next?.includes('..')) return { ...open, type };
    const [least, most] = bounds(this.readWord());
    if (type === 'string') return { ...open, type, minLength: least, maxLength: most };
    return { ...open, type, minimum: least, maximum: most };
  }

  #members(): [string, PublishedType][] {
    const members: [string, PublishedType][] = [];
    do {
      const name = this.readWord();
      members.push([name, this.expect(':').type()]);
    } while (this.accepts(';'));
    this.expect('}');
    return members;
  }

  #names(): Record<string, string> {
    const names: [string, string][] = [];
    do names.push([this.readWord(), this.readWord()]);
    while (this.accepts(';'));
    this.expect('}');
    return Object.fromEntries(names);
  }

  #json(): unknown {
    if (!this.accepts('[')) return JSON.parse(this.readWord());
    if (this.accepts(']')) return [];
    const items: unknown = JSON.parse(`[${this.readWord()}]`);
    this.expect(']');
    return items;
  }
}

/** The bounds of `0..7`, `1024..` or `..232`; of `4`, twice the same. */
function bounds(text: string): (number | undefined)[] {
  const parts = text.split('..').map((part) => (part === '' ? undefined : Number(part)));
  return parts.length === 1 ? [parts[0], parts[0]] : parts;
}
