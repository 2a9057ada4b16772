import { levels, type Shape, widths } from '@azimuth/model';
import type { LuaValue } from './lua-literal.js';

/** The types of values of the legacy protocol, each once. The dissector knows them by their number, from 1. */
export class LegacyTypes {
  readonly #numbers = new Map<string, number>();
  readonly #types: LuaValue[] = [];

  /** All types so far, in the order of their numbers. */
  get all(): readonly LuaValue[] {
    return this.#types;
  }

  /** Returns the number of a type. */
  numberOf(shape: Shape): number {
    const type = this.#typeOf(shape);
    const text = JSON.stringify(type, (_, value: unknown) =>
      value instanceof Map ? { map: [...value] } : value,
    );
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#types.push(type);
    this.#numbers.set(text, this.#types.length);
    return this.#types.length;
  }

  #typeOf(shape: Shape): LuaValue {
    switch (shape.kind) {
      case 'boolean':
        return { kind: 'boolean' };
      case 'integer': {
        const { format, minimum, maximum, names } = shape;
        const width = widths[format];
        const isFull = minimum === width.minimum && maximum === width.maximum;
        return {
          kind: 'integer',
          format,
          ...(isFull ? {} : { minimum, maximum }),
          ...(names === undefined ? {} : { names: namesByValue(names) }),
        };
      }
      case 'enumeration':
        return { kind: 'integer', format: shape.format, names: namesByValue(shape.values), closed: true };
      case 'levelName':
        return { kind: 'integer', format: 'uint8', names: namesByValue(levels), closed: true };
      case 'float':
        return { kind: 'float' };
      case 'string': {
        const { minLength, maxLength, padded } = shape;
        if (padded === true) return { kind: 'string', bytes: maxLength };
        return minLength === maxLength ? { kind: 'string', characters: maxLength } : { kind: 'string' };
      }
      case 'address':
        return { kind: 'address', length: shape.length };
      case 'array':
        return this.#arrayOf(shape);
      case 'struct':
        return {
          kind: 'struct',
          members: Object.entries(shape.members).map(([name, member]) => ({
            name,
            type: this.numberOf(member.shape),
            ...(member.optional ? { optional: true } : {}),
          })),
        };
    }
  }

  #arrayOf({ of, minItems, maxItems, inTelegrams }: Extract<Shape, { kind: 'array' }>): LuaValue {
    const isCounted = inTelegrams === 'none' || (inTelegrams === undefined && minItems !== maxItems);
    return {
      kind: 'array',
      of: this.numberOf(of),
      minimum: minItems,
      maximum: maxItems,
      count: maxItems,
      ...(isCounted ? { isCounted } : {}),
      ...(inTelegrams === 'leading' ? { isLeading: true } : {}),
    };
  }
}

/** Returns the names of values by value. If a value has several, the first one counts. */
export function namesByValue(values: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const [name, value] of Object.entries(values)) if (!names.has(value)) names.set(value, name);
  return names;
}
