import { expect, test } from 'vitest';
import { type Stamp, stampsFor } from '../../src/live/pixels.js';

/** A stamp as rows of characters. */
function rowsOf({ x, y, reach }: Stamp): string[] {
  const side = 2 * reach + 1;
  const rows = Array.from({ length: side }, () => new Array<string>(side).fill('.'));
  for (const [index, left] of x.entries()) {
    const row = rows[(y[index] ?? 0) + reach];
    if (row !== undefined) row[left + reach] = '#';
  }
  return rows.map((row) => row.join(''));
}

test('on a usual screen, points are squares, crosses and rhombs', () => {
  const { dot, speck, echoes } = stampsFor(1);
  expect(rowsOf(dot)).toEqual(['###', '###', '###']);
  expect(rowsOf(speck)).toEqual(['#']);
  expect(echoes.map(rowsOf)).toEqual([
    ['###', '###', '###'],
    ['#.....#', '.#...#.', '..#.#..', '...#...', '..#.#..', '.#...#.', '#.....#'],
    ['...#...', '..#.#..', '.#...#.', '#.....#', '.#...#.', '..#.#..', '...#...'],
  ]);
});

test('with more pixels, they are larger and round', () => {
  const { dot, speck, ring } = stampsFor(2);
  expect(rowsOf(dot)).toEqual(['.###.', '#####', '#####', '#####', '.###.']);
  expect(rowsOf(speck)).toEqual(['###', '###', '###']);
  expect(ring.reach).toBe(12);
});

test('the ring around a reflector is empty inside, and is made once for a screen', () => {
  const { ring } = stampsFor(1);
  expect(ring.reach).toBe(6);
  const rows = rowsOf(ring);
  expect(rows[6]).toBe('##.........##');
  expect(rows.join('')).toBe([...rows].reverse().join(''));
  expect(stampsFor(1)).toBe(stampsFor(1));
});
