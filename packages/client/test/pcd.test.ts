import { expect, test } from 'vitest';
import { isPcd, PcdError, readPcd } from '../src/index.js';

/** Two points with x, y and a number: 1, 1, 7 and 1, 1, 8. The data repeats itself, so that LZF has a reference. */
const head = [
  'VERSION 0.7',
  'FIELDS x y n',
  'SIZE 4 4 1',
  'TYPE F F U',
  'COUNT 1 1 1',
  'POINTS 2',
  'DATA binary_compressed\n',
].join('\n');

function compressed(packed: readonly number[]): Uint8Array {
  const sizes = new Uint8Array(8);
  const view = new DataView(sizes.buffer);
  view.setUint32(0, packed.length, true);
  view.setUint32(4, 18, true);
  return Uint8Array.from([...new TextEncoder().encode(head), ...sizes, ...packed]);
}

// One float, 12 bytes from 4 bytes before (a long run: 7 + 3 + 2), and two bytes.
const packed = [3, 0, 0, 0x80, 0x3f, 0xe0, 3, 3, 1, 7, 8];

test('compressed points are read: their fields come one after the other', () => {
  const pcd = readPcd(compressed(packed));
  expect([pcd.fields, pcd.count]).toEqual([['x', 'y', 'n'], 2]);
  expect([...pcd.points(['x', 'y', 'n'])].length).toBe(2);
  expect(Array.from(pcd.points(['n', 'x', 'y']), (point) => [...point])).toEqual([
    [7, 1, 1],
    [8, 1, 1],
  ]);
});

test.each([
  ['a run that is too long', [...packed.slice(0, 6), 30, 3]],
  ['a reference before the begin', [0xe0, 3, 3]],
  ['too few bytes', packed.slice(0, 4)],
])('%s is refused', (_, bytes) => {
  expect(() => readPcd(compressed(bytes))).toThrow(PcdError);
});

test('a point cloud is known by its begin', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(isPcd(bytes('# .PCD v0.7\nVERSION 0.7\n'))).toBe(true);
  expect(isPcd(bytes('x,y\n1,2\n'))).toBe(false);
});
