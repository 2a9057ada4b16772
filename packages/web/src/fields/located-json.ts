/** A mistake in a text that was typed, with the line where it is, from 1. */
export class TextProblem extends Error {
  override readonly name = 'TextProblem';
  readonly line: number;

  constructor(line: number, text: string) {
    super(text);
    this.line = line;
  }
}

/** A value, and the line of each of its parts. */
export interface LocatedJson {
  readonly value: unknown;
  /** The line of the part at a place, such as `.Points[2].x`, or of the nearest part around it. */
  readonly lineOf: (place: string) => number;
}

/** Characters that are read: all 48 evaluations with 100 corners each have less. */
const longest = 1_000_000;
const deepest = 20;

/** JSON that remembers in which line each part is. The messages of browsers differ, and name no line. @throws TextProblem */
export function locatedJson(text: string): LocatedJson {
  if (text.length > longest) throw new TextProblem(1, `expected at most ${longest} characters`);
  const lines = new Map<string, number>();
  const value = new Reader(text, lines).whole();
  return {
    value,
    lineOf(place) {
      for (let part = place; part !== ''; part = part.replace(/(\.[^.[]*|\[\d+\])$/, '')) {
        const line = lines.get(part);
        if (line !== undefined) return line;
        if (!/(\.[^.[]*|\[\d+\])$/.test(part)) break;
      }
      return lines.get('') ?? 1;
    },
  };
}

const blanks = /[ \t\r\n]*/y;
const token = /"(?:[^"\\\n]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{}:,]/y;

class Reader {
  readonly #text: string;
  readonly #lines: Map<string, number>;
  #at = 0;
  /** Line of the next sign, from 1. Only blanks have line breaks. */
  #line = 1;

  constructor(text: string, lines: Map<string, number>) {
    this.#text = text;
    this.#lines = lines;
  }

  whole(): unknown {
    const value = this.#value('', 0);
    this.#skip();
    if (this.#at < this.#text.length) this.#fail('the end of the text');
    return value;
  }

  #value(place: string, depth: number): unknown {
    this.#skip();
    this.#lines.set(place, this.#line);
    if (depth > deepest) this.#fail('a flatter value');
    const next = this.#peek();
    if (next === '{') return this.#object(place, depth);
    if (next === '[') return this.#list(place, depth);
    if (next === undefined || /^[\]}:,]/.test(next)) return this.#fail('a value');
    return this.#leaf(next);
  }

  #object(place: string, depth: number): unknown {
    const members: [string, unknown][] = [];
    this.#take('{', '{');
    while (this.#peek() !== '}') {
      const name = this.#peek();
      if (name?.startsWith('"') !== true)
        return this.#fail(members.length === 0 ? 'a name in quotes, or }' : 'a name in quotes');
      const key = String(this.#leaf(name));
      this.#take(':', ': after the name');
      members.push([key, this.#value(`${place}.${key}`, depth + 1)]);
      if (this.#peek() === '}') break;
      this.#take(',', ', or }');
    }
    this.#take('}', '}');
    return Object.fromEntries(members);
  }

  #list(place: string, depth: number): unknown {
    const items: unknown[] = [];
    this.#take('[', '[');
    if (this.#peek() === ']') {
      this.#take(']', ']');
      return items;
    }
    for (;;) {
      items.push(this.#value(`${place}[${items.length}]`, depth + 1));
      if (this.#peek() === ']') break;
      this.#take(',', ', or ]');
    }
    this.#take(']', ']');
    return items;
  }

  /** A text, a number or a word. */
  #leaf(next: string): unknown {
    try {
      const value: unknown = JSON.parse(next);
      this.#at += next.length;
      return value;
    } catch {
      return this.#fail('a text in quotes without line breaks and unknown escapes');
    }
  }

  #skip(): void {
    blanks.lastIndex = this.#at;
    const skipped = blanks.exec(this.#text)?.[0] ?? '';
    this.#at += skipped.length;
    this.#line += skipped.split('\n').length - 1;
  }

  #peek(): string | undefined {
    this.#skip();
    token.lastIndex = this.#at;
    return token.exec(this.#text)?.[0];
  }

  #take(sign: string, expected: string): void {
    if (this.#peek() !== sign) this.#fail(expected);
    this.#at += sign.length;
  }

  #fail(expected: string): never {
    this.#skip();
    const found = this.#text.slice(this.#at, this.#at + 12).split('\n')[0] ?? '';
    throw new TextProblem(
      this.#line,
      `expected ${expected}, found ${found === '' ? 'the end' : `“${found}”`}`,
    );
  }
}
