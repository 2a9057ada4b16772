import type { BinaryReader, BinaryWriter } from '../binary.js';
import type { TextReader, TextWriter } from '../text.js';
import type { Shape } from './shape.js';

/**
 * A value type with its faces: JSON with the status of the first fault, the legacy text and the legacy binary
 * encoding; JSON Schema, natural words and a person's description derive from its `shape`.
 *
 * A value of a type is its JSON value. Values are never shared: `fromJson` builds a new one out of what came.
 */
export interface ValueType<T> {
  readonly shape: Shape;
  /** The value that the interface description states as default. */
  readonly initial: T;
  /**
   * The value that a JSON value stands for. `at` is the place spoken of in a fault.
   * @throws Fault with status 1, 2, 6, 7 or 9: the first one found.
   */
  fromJson(json: unknown, at: string): T;
  toText(value: T, out: TextWriter): void;
  /** @throws Fault as `fromJson`; status 1 where the text ends too early. */
  fromText(input: TextReader, at: string): T;
  toBinary(value: T, out: BinaryWriter): void;
  /** @throws Fault as `fromJson`; status 1 where the bytes end too early. */
  fromBinary(input: BinaryReader, at: string): T;
}

/** The TypeScript type of a value type's values. */
export type TypeOf<V> = V extends ValueType<infer T> ? T : never;
