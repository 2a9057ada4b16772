import { array, isObject, number, object } from '@azimuth/test-support/json';
import fc from 'fast-check';

/** Any value that a schema of the scanner's own description allows. */
export function anyValue(schema: unknown): fc.Arbitrary<unknown> {
  const facts = object(schema);
  if (facts.enum !== undefined) return fc.constantFrom(...array(facts.enum));
  switch (facts.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      const [min, max] = [number(facts.minimum), number(facts.maximum)];
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
    }
    case 'number':
      return fc
        .float({
          min: Math.fround(number(facts.minimum)),
          max: Math.fround(number(facts.maximum)),
          noNaN: true,
        })
        .map((value) => value + 0)
        .filter((value) => value >= number(facts.minimum) && value <= number(facts.maximum));
    case 'string':
      return fc
        .array(fc.constantFrom('a', 'Z', '0', '-', ' ', '/', 'ä', 'ß', '€', '漢', '🜁'), {
          minLength: number(facts.minLength),
          maxLength: number(facts.maxLength),
        })
        .map((characters) => characters.join(''));
    case 'array':
      return fc.array(anyValue(facts.items), {
        minLength: number(facts.minItems),
        maxLength: number(facts.maxItems),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(object(facts.properties)).map(([name, member]) => [name, anyValue(member)]),
        ),
      );
    default:
      throw new TypeError(`no type: ${JSON.stringify(schema)}`);
  }
}

/** The same value with every number as 32-bit floats tell it: the shortest decimal is REST's affair. */
export function inFloats(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.fround(value);
  if (Array.isArray(value)) return value.map(inFloats);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inFloats(member)]));
}
