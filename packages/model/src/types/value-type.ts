import type { BinaryReader, BinaryWriter } from '../binary.js';
import type { TextReader, TextWriter } from '../text.js';
import type { IntegerFormat } from './integer-format.js';

/**
 * Value type in all its forms: JSON with the status of the first refusal, the legacy text and the legacy binary
 * encoding. JSON Schema, the values that people type and descriptions derive from its `shape`. A value of a type is its
 * JSON value. Values are never shared: `fromJson` builds a new one from its input.
 */
export interface ValueType<T> {
  readonly shape: Shape;
  /** Value that the interface description states as default. */
  readonly initial: T;
  /**
   * Converts a JSON value.
   * @param at names the value in a refusal, as in `EtherIPAddress[2]`
   * @throws Refusal with status 1, 2, 6, 7 or 9: the first one found.
   */
  fromJson(json: unknown, at: string): T;
  toText(value: T, out: TextWriter): void;
  /** @throws Refusal as `fromJson`; status 1 if the text ends too early. */
  fromText(input: TextReader, at: string): T;
  toBinary(value: T, out: BinaryWriter): void;
  /** @throws Refusal as `fromJson`; status 1 if the bytes end too early. */
  fromBinary(input: BinaryReader, at: string): T;
}

/** TypeScript type of a value type's values. */
export type TypeOf<V> = V extends ValueType<infer T> ? T : never;

/**
 * Structure of a value type, as plain data. Schemas, forms, descriptions and the values that people type derive from
 * it.
 */
export type Shape =
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'integer';
      readonly format: IntegerFormat;
      readonly minimum: number;
      readonly maximum: number;
      /** Names that people may write for some of its numbers. Other numbers are allowed, too. */
      readonly names?: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'enumeration';
      readonly format: IntegerFormat;
      readonly values: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'levelName' }
  | { readonly kind: 'float'; readonly minimum: number; readonly maximum: number }
  | {
      readonly kind: 'string';
      readonly minLength: number;
      readonly maxLength: number;
      readonly lines: boolean;
      /** True if it always has `maxLength` bytes in telegrams of the legacy protocol, filled with NUL. */
      readonly padded?: true;
    }
  | { readonly kind: 'address'; readonly of: 'IPv4' | 'MAC'; readonly length: 4 | 6 }
  | {
      readonly kind: 'array';
      readonly of: Shape;
      readonly minItems: number;
      readonly maxItems: number;
      /** Form of the list in telegrams of the legacy protocol, if it does not follow from the numbers of items. */
      readonly inTelegrams?: ListForm;
    }
  | {
      readonly kind: 'struct';
      readonly members: Readonly<Record<string, Member>>;
    };

/**
 * Forms of a list. `all`: always `maxItems` items without a count; missing items have their default. `none`: never an
 * item, so the count is 0. `leading`: all items up to the end of the telegram, without a count.
 */
export type ListForm = 'all' | 'none' | 'leading';

/** Member of a struct: its shape, its default, and a flag that is set if a request may leave it out. */
export interface Member {
  readonly shape: Shape;
  readonly initial: unknown;
  readonly optional: boolean;
}
