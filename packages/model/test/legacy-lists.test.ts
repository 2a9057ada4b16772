import { describe, expect, test } from 'vitest';
import { allEndpoints, type Shape, type ValueType } from '../src/index.js';
import { hexOf } from './coding.js';

// A list of 0 to n items has its count in front in telegrams, a list of exactly n items has none. There is one exception.

/** A list that always has as many items as it can have in telegrams, and no count, although JSON allows fewer. */
const always = 'FieldEvaluationResult.EvaluationResultList';
/** A list that has no items in telegrams, whatever JSON says: only its count is there. */
const never = `${always}[].Positions`;

interface Place {
  readonly path: string;
  readonly shape: Shape;
}

/** Every value that the telegrams of the interface carry, with its type. */
const values: readonly (readonly [string, ValueType<unknown>])[] = allEndpoints.flatMap(
  (endpoint): [string, ValueType<unknown>][] =>
    endpoint.kind === 'variable'
      ? [[endpoint.name, endpoint.type]]
      : [
          [`${endpoint.name} request`, endpoint.request],
          [`${endpoint.name} response`, endpoint.response],
        ],
);

function listsIn({ path, shape }: Place): Place[] {
  if (shape.kind === 'array') return [{ path, shape }, ...listsIn({ path: `${path}[]`, shape: shape.of })];
  if (shape.kind !== 'struct') return [];
  return Object.entries(shape.members).flatMap(([name, member]) =>
    listsIn({ path: `${path}.${name}`, shape: member.shape }),
  );
}

/** Makes a value of a shape, with this number of items in each list, as far as the list accepts them. */
function sample(shape: Shape, items: number): unknown {
  switch (shape.kind) {
    case 'array':
      return Array.from({ length: Math.min(Math.max(items, shape.minItems), shape.maxItems) }, () =>
        sample(shape.of, items),
      );
    case 'struct':
      return Object.fromEntries(
        Object.entries(shape.members).map(([name, member]) => [name, sample(member.shape, items)]),
      );
    case 'address':
      return Array.from({ length: shape.length }, () => 0);
    case 'boolean':
      return false;
    case 'enumeration':
      return Object.values(shape.values)[0];
    case 'levelName':
      return 'Run';
    case 'string':
      return 'x'.repeat(shape.minLength);
    default:
      return Math.max(0, shape.minimum);
  }
}

/** Returns the number of bytes of a value by the rule. */
function bytesOf(value: unknown, { path, shape }: Place): number {
  switch (shape.kind) {
    case 'array': {
      const isCounted = path !== always && shape.minItems !== shape.maxItems;
      const place = { path: `${path}[]`, shape: shape.of };
      const items = itemsIn(path, shape, Array.isArray(value) ? value : []);
      return items.reduce<number>((sum, item) => sum + bytesOf(item, place), isCounted ? 2 : 0);
    }
    case 'struct':
      return Object.entries(shape.members).reduce(
        (sum, [name, member]) =>
          sum + bytesOf(Object(value)[name], { path: `${path}.${name}`, shape: member.shape }),
        0,
      );
    case 'string':
      if (path === 'LEDState[].Id') return 8;
      return shape.minLength + (shape.minLength === shape.maxLength ? 0 : 2);
    case 'address':
      return shape.length;
    case 'float':
      return 4;
    case 'boolean':
    case 'levelName':
      return 1;
    default:
      return Number(/\d+/.exec(shape.format)) / 8;
  }
}

function itemsIn(path: string, shape: Extract<Shape, { kind: 'array' }>, items: readonly unknown[]) {
  if (path === never) return [];
  if (path !== always) return items;
  return Array.from({ length: shape.maxItems }, (_, index) => items[index] ?? sample(shape.of, 0));
}

const withLists = values.filter(([path, { shape }]) => listsIn({ path, shape }).length > 0);

describe('the counts of lists in telegrams', () => {
  test('are asked of every list of the interface', () => {
    const lists = withLists.flatMap(([path, { shape }]) => listsIn({ path, shape }));
    expect(lists.length).toBeGreaterThan(25);
    const paths = lists.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([always, never, 'PortConfiguration', 'PortState.aTimeBlock']),
    );
  });

  test.each(withLists)('of %s follow from the numbers of items', (path, type) => {
    for (const items of [0, 1, 3, 200]) {
      const value = sample(type.shape, items);
      const place = { path, shape: type.shape };
      const bytes = bytesOf(value, place);
      const hex = hexOf(type, type.fromJson(value, path));
      expect(hex === '' ? 0 : hex.split(' ').length, `${items} items`).toBe(bytes);
    }
  });
});
