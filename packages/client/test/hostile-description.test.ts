import { describedInterface } from '@azimuth/model';
import { ownDescription } from '@azimuth/test-support/own-description';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const own: unknown = JSON.parse(ownDescription());

/** Places of all values in a document, as paths of names. */
function placesIn(json: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof json !== 'object' || json === null) return [path];
  return [path, ...Object.entries(json).flatMap(([name, value]) => placesIn(value, [...path, name]))];
}

/** The document with another value at a place. */
function replaced(json: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(json))
    return json.map((item, index) => (`${index}` === name ? replaced(item, rest, value) : item));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, item]) => [key, key === name ? replaced(item, rest, value) : item]),
  );
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(-1, 0.5, 1e300, Number.MAX_SAFE_INTEGER, '', '__proto__', 'constructor', '\u001b[2J', []),
  fc
    .constantFrom(...placesIn(own))
    .map((path) => path.reduce((at: unknown, name) => memberOf(at, name), own)),
);

function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null
    ? Object.entries(json).find(([key]) => key === name)?.[1]
    : undefined;
}

test('whatever stands anywhere in a description, reading it neither fails nor changes anything else', () => {
  fc.assert(
    fc.property(fc.constantFrom(...placesIn(own)), anything, (path, value) => {
      const known = describedInterface(replaced(own, path, value));
      for (const { name, variable } of known?.named ?? []) {
        expect(name in {}).toBe(false);
        expect(variable.facts.text).not.toMatch(/\p{Cc}/u);
        variable.type.fromJson(variable.type.initial, name);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 400 },
  );
});
