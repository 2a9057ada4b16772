import { expect, test } from 'vitest';
import { pgmPixels, pictureHead } from '../../src/background/picture-head.js';

const bytesOf = (text: string, ...more: readonly number[]) =>
  Uint8Array.of(...new TextEncoder().encode(text), ...more);

/** The beginning of a PNG file of this size. */
function png(width: number, height: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(33));
  view.setUint32(0, 0x89504e47);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return new Uint8Array(view.buffer);
}

test('kind and size stand at the beginning of a picture', () => {
  expect(pictureHead(png(640, 480))).toEqual({ kind: 'png', width: 640, height: 480 });
  const comment = [0xff, 0xfe, 0, 4, 1, 2];
  const frame = [0xff, 0xc2, 0, 11, 8, 0x01, 0x02, 0x03, 0x04, 1, 1, 0x11, 0];
  expect(pictureHead(Uint8Array.of(0xff, 0xd8, ...comment, ...frame))).toEqual({
    ...{ kind: 'jpeg', width: 0x304, height: 0x102 },
  });
  expect(pictureHead(bytesOf('P5\n# a map\n3 2\n255\n'))).toEqual({ kind: 'pgm', width: 3, height: 2 });
});

test('other files are no pictures', () => {
  for (const wrong of ['', 'GIF89a', '<html>', '<svg xmlns="…">', 'P6\n1 1\n255\n']) {
    expect(() => pictureHead(bytesOf(wrong))).toThrow('expected PNG, JPEG or PGM');
  }
  // A segment that never ends.
  expect(() => pictureHead(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff))).toThrow('no picture');
});

test('a huge picture is refused before it is decoded', () => {
  expect(() => pictureHead(png(60_000, 60_000))).toThrow('60000 × 60000 pixels');
  expect(() => pictureHead(png(10_000, 10_000))).toThrow('too large');
  expect(() => pictureHead(png(0, 5))).toThrow('no pixels');
  expect(() => pictureHead(new Uint8Array(21 * 1024 * 1024))).toThrow('larger than 20 MB');
});

/** The pixels of a PGM file. */
const pixelsOf = (bytes: Uint8Array) => [...pgmPixels(bytes, pictureHead(bytes))];

test('the pixels of a map are bytes, two bytes or decimals', () => {
  expect(pixelsOf(bytesOf('P5\n2 1\n255\n', 0, 205))).toEqual([0, 205]);
  expect(pixelsOf(bytesOf('P5 2 1 65535\n', 0xff, 0xff, 0x80, 0x00))).toEqual([255, 128]);
  expect(pixelsOf(bytesOf('P2\n# grey\n2 2\n100\n0 50\n100 999'))).toEqual([0, 128, 255, 255]);
});

test('a map that ends too early is refused', () => {
  expect(() => pixelsOf(bytesOf('P5\n2 2\n255\n', 1))).toThrow('before the last pixel');
  expect(() => pixelsOf(bytesOf('P2\n2 2\n255\n1 2'))).toThrow('before the last pixel');
  expect(() => pixelsOf(bytesOf('P5\n2 2\n0\n', 1, 1, 1, 1))).toThrow('broken head');
});

test('a head of many comments is read quickly', () => {
  expect(() => pictureHead(bytesOf(`P5\n${'# '.repeat(500)}`))).toThrow('no picture');
});
