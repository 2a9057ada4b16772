import type { IntegerFormat } from './integer-format.js';

/** What a value type looks like, as plain data: what schemas, forms, descriptions and natural words derive from. */
export type Shape =
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'integer';
      readonly format: IntegerFormat;
      readonly minimum: number;
      readonly maximum: number;
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
    }
  | { readonly kind: 'address'; readonly of: 'IPv4' | 'MAC'; readonly length: 4 | 6 }
  | {
      readonly kind: 'array';
      readonly of: Shape;
      readonly minItems: number;
      readonly maxItems: number;
    }
  | {
      readonly kind: 'struct';
      readonly members: Readonly<Record<string, Member>>;
    };

/** A member of a struct: its shape, its default, and whether a request may leave it out. */
export interface Member {
  readonly shape: Shape;
  readonly initial: unknown;
  readonly optional: boolean;
}
