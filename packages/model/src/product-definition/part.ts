import { nearestName } from '@azimuth/wording';
import { describeJson, isObject } from '../envelope.js';

/** A product that cannot be built. `mistakes` has all of them, each with its place. */
export class ProductMistakes extends Error {
  override readonly name = 'ProductMistakes';

  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    // A part that is read twice tells its mistake once.
    this.mistakes = [...new Set(mistakes)];
  }
}

/** A function of a product. What it gets and returns is checked where it is called. */
export type Hook = (...values: readonly unknown[]) => unknown;

function isHook(value: unknown): value is Hook {
  return typeof value === 'function';
}

/** Bounds of a number or of the length of a text. */
interface Bounds {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/**
 * Part of a definition that nobody has checked yet. It reads members, and records each mistake with its place. A
 * member with a mistake reads as undefined.
 */
export class Part {
  /** Place of the part: `variables.LaserHours.type`; empty for the whole. */
  readonly at: string;
  readonly json: unknown;
  readonly #mistakes: string[];

  constructor(json: unknown, at: string, mistakes: string[]) {
    this.json = json;
    this.at = at;
    this.#mistakes = mistakes;
  }

  /** Records a mistake of this part. */
  mistake(reason: string): undefined {
    this.#mistakes.push(this.at === '' ? reason : `${this.at}: ${reason}`);
    return undefined;
  }

  /** Members by name; none, and a mistake, if the part is no object. */
  get members(): Readonly<Record<string, unknown>> {
    if (isObject(this.json)) return this.json;
    if (this.json !== undefined) this.mistake(`expected an object, got ${describeJson(this.json)}`);
    return {};
  }

  has(name: string): boolean {
    return this.part(name).json !== undefined;
  }

  /** Returns a member as a part of its own. */
  part(name: string): Part {
    const at = this.at === '' ? name : `${this.at}.${name}`;
    try {
      const value = isObject(this.json) && Object.hasOwn(this.json, name) ? this.json[name] : undefined;
      return new Part(value, at, this.#mistakes);
    } catch (error) {
      const unreadable = new Part(undefined, at, this.#mistakes);
      unreadable.mistake(`cannot be read: ${thrownText(error)}`);
      return unreadable;
    }
  }

  /** All members as parts, by name. */
  get parts(): readonly (readonly [string, Part])[] {
    return Object.keys(this.members).map((name) => [name, this.part(name)]);
  }

  /** Items as parts; none, and a mistake, if the part is no array. */
  get items(): readonly Part[] {
    if (this.json === undefined) return [];
    if (!Array.isArray(this.json)) {
      this.mistake(`expected an array, got ${describeJson(this.json)}`);
      return [];
    }
    return this.json.map((item: unknown, index) => new Part(item, `${this.at}[${index}]`, this.#mistakes));
  }

  /** Records each member that is not in `names`. */
  only(names: readonly string[]): this {
    for (const [name, part] of this.parts) if (!names.includes(name)) part.mistake(unknownName(name, names));
    return this;
  }

  /** Returns the text; undefined if it is absent. */
  text({ minimum = 1, maximum = 1000 }: Bounds = {}): string | undefined {
    const { json } = this;
    if (json === undefined) return undefined;
    if (typeof json !== 'string') return this.mistake(`expected a text, got ${describeJson(json)}`);
    const { length } = [...json];
    if (length < minimum || length > maximum)
      return this.mistake(`expected ${minimum} to ${maximum} characters, got ${length}`);
    if (/[\p{Cc}\p{Cs}]/u.test(json)) return this.mistake('control characters are not allowed');
    return json;
  }

  /** Returns the text of a form; undefined if it is absent. @param form in words, as in `expected …` */
  textLike(pattern: RegExp, form: string): string | undefined {
    const text = this.text();
    if (text === undefined || pattern.test(text)) return text;
    return this.mistake(`expected ${form}, got "${text}"`);
  }

  /** Returns one of these words; undefined if it is absent. */
  oneOf<W extends string>(words: readonly W[]): W | undefined {
    const text = this.text();
    if (text === undefined) return undefined;
    const word = words.find((one) => one === text);
    return word ?? this.mistake(`expected ${words.join(', ')}; ${unknownName(text, words)}`);
  }

  integer({
    minimum = Number.MIN_SAFE_INTEGER,
    maximum = Number.MAX_SAFE_INTEGER,
  }: Bounds = {}): number | undefined {
    const number = this.number({ minimum, maximum });
    if (number === undefined || Number.isInteger(number)) return number;
    return this.mistake(`expected an integer, got ${number}`);
  }

  number({ minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE }: Bounds = {}): number | undefined {
    const { json } = this;
    if (json === undefined) return undefined;
    if (typeof json !== 'number' || Number.isNaN(json))
      return this.mistake(`expected a number, got ${describeJson(json)}`);
    if (json < minimum || json > maximum)
      return this.mistake(`expected ${minimum} to ${maximum}, got ${json}`);
    return json;
  }

  flag(): boolean | undefined {
    const { json } = this;
    if (json === undefined || typeof json === 'boolean') return json;
    return this.mistake(`expected true or false, got ${describeJson(json)}`);
  }

  hook(): Hook | undefined {
    const { json } = this;
    if (json === undefined || isHook(json)) return json;
    return this.mistake(`expected a function, got ${describeJson(json)}`);
  }

  /** Records that the part is missing. Returns its value otherwise. */
  required<T>(value: T | undefined): T | undefined {
    if (this.json === undefined) this.mistake('is missing');
    return value;
  }
}

/** A thrown value as text. Never throws. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that has no text';
  }
}

function unknownName(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return `"${name}" is unknown${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}
