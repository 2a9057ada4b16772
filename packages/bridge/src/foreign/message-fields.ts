import { isObject } from '@azimuth/model';
import { McapError } from '../mcap/index.js';

/** The fields of a decoded message, which may lack any of them. */
export class MessageFields {
  readonly #value: Readonly<Record<string, unknown>>;
  /** Where the message is: its topic and type. */
  readonly #where: string;

  /** @throws McapError if the message has no fields */
  constructor(value: unknown, where: string) {
    if (!isObject(value)) throw new McapError(`${where}: expected fields`);
    this.#value = value;
    this.#where = where;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#value, name);
  }

  /** @throws McapError if the field is not there or not a number */
  number(name: string): number {
    const value = this.#value[name];
    return typeof value === 'number' ? value : this.#refuse(name, 'a number');
  }

  text(name: string): string {
    const value = this.#value[name];
    return typeof value === 'string' ? value : this.#refuse(name, 'a text');
  }

  is(name: string): boolean {
    const value = this.#value[name];
    return typeof value === 'boolean' ? value : this.#refuse(name, 'true or false');
  }

  fields(name: string): MessageFields {
    return new MessageFields(this.#value[name], `${this.#where}, ${name}`);
  }

  list(name: string): readonly MessageFields[] {
    const value = this.#value[name];
    if (!Array.isArray(value)) return this.#refuse(name, 'a list');
    return value.map((item: unknown) => new MessageFields(item, `${this.#where}, ${name}`));
  }

  floats(name: string): Float32Array {
    const value = this.#value[name];
    return value instanceof Float32Array ? value : this.#refuse(name, 'float32[]');
  }

  bytes(name: string): Uint8Array {
    const value = this.#value[name];
    return value instanceof Uint8Array ? value : this.#refuse(name, 'uint8[]');
  }

  #refuse(name: string, expected: string): never {
    throw new McapError(`${this.#where}: expected ${expected} as ${name}`);
  }
}
