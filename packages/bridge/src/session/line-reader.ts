import { describeJson, isObject } from '@azimuth/model';

/** Reads the members of a JSON object of a file that anybody may have written. Each error names the member. */
export class LineReader {
  readonly #members: Readonly<Record<string, unknown>>;

  private constructor(members: Readonly<Record<string, unknown>>) {
    this.#members = members;
  }

  /** @throws Error for a line that is not a JSON object */
  static of(line: string): LineReader {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw new Error('expected a JSON object, got other text');
    }
    if (!isObject(json)) throw new Error(`expected a JSON object, got ${describeJson(json)}`);
    return new LineReader(json);
  }

  text(name: string): string {
    const value = this.#value(name);
    return typeof value === 'string' ? value : this.#fail(name, 'a string');
  }

  optionalText(name: string): string | undefined {
    return this.#value(name) === undefined ? undefined : this.text(name);
  }

  /** A whole number from 0 on. */
  integer(name: string): number {
    const value = this.#value(name);
    const isRight = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    return isRight ? value : this.#fail(name, 'a whole number from 0 on');
  }

  optionalInteger(name: string): number | undefined {
    return this.#value(name) === undefined ? undefined : this.integer(name);
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#fail(name, 'true or false');
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const value = this.#value(name);
    return allowed.find((one) => one === value) ?? this.#fail(name, allowed.join(', '));
  }

  texts(name: string): readonly string[] {
    const value = this.#value(name);
    const isRight = Array.isArray(value) && value.every((item): item is string => typeof item === 'string');
    return isRight ? value : this.#fail(name, 'an array of strings');
  }

  optionalPart(name: string): LineReader | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    return isObject(value) ? new LineReader(value) : this.#fail(name, 'an object');
  }

  /** A text, or `{ "base64": … }`, as bytes. */
  bytes(name: string): Uint8Array {
    return Buffer.from(this.message(name));
  }

  /** A text, or the bytes of `{ "base64": … }`. */
  message(name: string): string | Uint8Array {
    const value = this.#value(name);
    if (typeof value === 'string') return value;
    if (isObject(value) && typeof value.base64 === 'string') return Buffer.from(value.base64, 'base64');
    return this.#fail(name, 'a string, or { "base64": … }');
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  #fail(name: string, expected: string): never {
    throw new Error(`"${name}": expected ${expected}, got ${describeJson(this.#value(name))}`);
  }
}
