import { reflectorEchoes } from '@azimuth/telegrams';
import { describe, expect, test } from 'vitest';

const marked = 254 * 257;
const distance = [9, 9, 9, 1000, 2000, 3000];

/** The reflectors among the echoes of the second beam, with these distances and strengths of it. */
function reflectors(properties: number, distances: readonly number[], strengths?: readonly number[]): number {
  const rssi = strengths && [marked, marked, marked, ...strengths];
  return reflectorEchoes(properties, [...distance.slice(0, 3), ...distances], rssi, 3, 3);
}

describe('the echoes of a reflector', () => {
  test.each([
    ['none, if the beam has none', 0xe0, [1000, 2000, 3000], [marked, marked, marked], 0b000],
    ['those that their strength marks', 1, [1000, 2000, 3000], [marked, 500, marked], 0b101],
    ['not a place without an echo', 1, [1000, 0, 0], [marked, marked, marked], 0b001],
    ['the last one, if no strength marks one', 1, [1000, 2000, 0], [500, 65_535, 0], 0b010],
    ['the last one, without strengths', 1, [1000, 2000, 3000], undefined, 0b100],
    ['none of a beam without echoes', 1, [0, 0, 0], undefined, 0b000],
  ] as const)('are %s', (_, properties, distances, strengths, found) => {
    expect(reflectors(properties, distances, strengths)).toBe(found);
  });
});
