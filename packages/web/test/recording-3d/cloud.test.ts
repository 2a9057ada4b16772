import { PcdError } from '@azimuth/client';
import { expect, test } from 'vitest';
import { parsePcd } from '../../src/recording-3d/cloud.js';

const encoder = new TextEncoder();

function header(points: number, data: string, fields = 'x y z intensity', size = '4 4 4 4'): string {
  const each = fields.split(' ');
  return `# .PCD v0.7 - Point Cloud Data file format
VERSION 0.7
FIELDS ${fields}
SIZE ${size}
TYPE ${each.map(() => 'F').join(' ')}
COUNT ${each.map(() => '1').join(' ')}
WIDTH ${points}
HEIGHT 1
VIEWPOINT 0 0 0 1 0 0 0
POINTS ${points}
DATA ${data}
`;
}

function binary(head: string, values: readonly number[]): Uint8Array {
  const before = encoder.encode(head);
  const file = new Uint8Array(before.length + 4 * values.length);
  file.set(before);
  const view = new DataView(file.buffer, before.length);
  for (const [index, value] of values.entries()) view.setFloat32(4 * index, value, true);
  return file;
}

test('binary points are read with their strengths', () => {
  const cloud = parsePcd(binary(header(2, 'binary'), [1, 2, 3, 100, -4, 5.5, -6, 65_535]));
  expect(cloud.count).toBe(2);
  expect([...cloud.places]).toEqual([1, 2, 3, -4, 5.5, -6]);
  expect([...(cloud.strengths ?? [])]).toEqual([100, 65_535]);
});

test('ASCII points are read, also with other fields between', () => {
  const text = `${header(2, 'ascii', 'ring x y z', '4 4 4 4')}7 1 2 3\r\n\n8 0.5 -1e1 2\n`;
  const cloud = parsePcd(encoder.encode(text));
  expect([...cloud.places]).toEqual([1, 2, 3, 0.5, -10, 2]);
  expect(cloud.strengths).toBeUndefined();
});

test('integers and fields with several values lie where the header says', () => {
  const head = `FIELDS extra x y z
SIZE 2 2 1 8
TYPE U I U F
COUNT 3 1 1 1
POINTS 1
DATA binary
`;
  const before = encoder.encode(head);
  const file = new Uint8Array(before.length + 17);
  file.set(before);
  const view = new DataView(file.buffer, before.length);
  view.setInt16(6, -300, true);
  view.setUint8(8, 200);
  view.setFloat64(9, 0.25, true);
  expect([...parsePcd(file).places]).toEqual([-300, 200, 0.25]);
});

test('a point without a place is left out', () => {
  const cloud = parsePcd(binary(header(2, 'binary'), [Number.NaN, 0, 0, 9, 1, 1, 1, 8]));
  expect([cloud.count, [...cloud.places], [...(cloud.strengths ?? [])]]).toEqual([1, [1, 1, 1], [8]]);
});

test('an empty cloud has no points', () => {
  expect(parsePcd(binary(header(0, 'binary'), [])).count).toBe(0);
});

test.each([
  ['no point cloud', encoder.encode('<html>'), 'not a point cloud'],
  ['cut off', binary(header(2, 'binary'), [1, 2, 3, 4]), 'cut off'],
  ['cut off as ASCII', encoder.encode(`${header(2, 'ascii')}1 2 3 4\n`), 'cut off'],
  ['packed in an unknown way', encoder.encode(header(1, 'binary_zstd')), 'binary_zstd'],
  ['compressed and cut off', encoder.encode(header(1, 'binary_compressed')), 'cut off'],
  ['without z', encoder.encode(header(1, 'ascii', 'x y', '4 4')), 'no x, y and z'],
  ['too large', encoder.encode(header(999_999_999, 'binary')), 'more than'],
  ['of a size that no number has', encoder.encode(header(0, 'binary', 'x y z', '3 4 4')), 'field x'],
  [
    'of many values',
    encoder.encode('FIELDS x\nSIZE 4\nTYPE F\nCOUNT 1e9\nPOINTS 1\nDATA binary\n'),
    'field x',
  ],
])('a file that is %s is refused with the reason', (_, file, words) => {
  expect(() => parsePcd(file)).toThrow(PcdError);
  expect(() => parsePcd(file)).toThrow(words);
});
