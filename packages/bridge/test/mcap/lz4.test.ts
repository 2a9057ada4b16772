import { expect, test } from 'vitest';
import { compressLz4, decompressLz4, Lz4Frame } from '../../src/mcap/lz4.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));

/** `printf 'scan scan scan scan scan scan scan scan' | lz4` */
const ofLz4Program = fromHex('04224d18 6440a7 0f000000 5f7363616e20 0500 0a 50207363616e 00000000 41f976d6');

test('a frame of the program lz4 is read', () => {
  expect(decompressLz4(ofLz4Program, 39)).toEqual(bytesOf('scan '.repeat(8).trim()));
});

test.each([
  ['nothing', ''],
  ['a short text', 'scan'],
  ['a text that repeats', 'scan '.repeat(10_000)],
  ['one byte', 'a'.repeat(100_000)],
])('%s comes back as it was', (_, text) => {
  const plain = bytesOf(text);
  expect(Buffer.compare(decompressLz4(compressLz4(plain), plain.length), plain)).toBe(0);
});

test('data of several blocks, compressible or not, comes back as it was', () => {
  const plain = new Uint8Array(9_000_000);
  for (let at = 0, seed = 1; at < plain.length; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    plain[at] = at % 5_000_000 < 2_000_000 ? seed >>> 16 : at >> 4;
  }
  const packed = compressLz4(plain);
  expect(packed.length).toBeLessThan(plain.length * 0.6);
  expect(Buffer.compare(decompressLz4(packed, plain.length), plain)).toBe(0);
});

test('a frame is the same, however its bytes come', () => {
  const plain = bytesOf('scan beam echo '.repeat(20_000));
  const frame = new Lz4Frame();
  for (const _ of ['the first frame', 'another one']) {
    for (let length = 0; length < plain.length; length += 12_345) frame.grow(plain.subarray(0, length));
    expect(Buffer.compare(frame.end(plain), compressLz4(plain))).toBe(0);
  }
});

test('damaged data is refused at once: what is cut off, too long, or refers to nothing', () => {
  const plain = bytesOf('scan '.repeat(100));
  const packed = compressLz4(plain);
  for (let length = 1; length < packed.length; length++) {
    expect(() => decompressLz4(packed.subarray(0, length), plain.length)).toThrow('LZ4');
  }
  expect(() => decompressLz4(packed, plain.length - 1)).toThrow('expected 499 bytes, got more');
  expect(() => decompressLz4(packed, plain.length + 1)).toThrow('expected 501 bytes, got 500');
  const block = (hex: string) => fromHex(`04224d18 607073 ${hex} 00000000`);
  expect(() => decompressLz4(block('03000000 000100'), 10)).toThrow('refers to bytes in front of it');
  // Lengths of 255 for ever, and a block that declares 2 GiB.
  expect(() => decompressLz4(block(`08000000 ff${'ff'.repeat(7)}`), 10)).toThrow('cut off');
  expect(() => decompressLz4(block('ffffff7f 00'), 10)).toThrow('cut off');
  expect(() => decompressLz4(fromHex('00000000'), 10)).toThrow('expected a frame of LZ4');
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])('random changes of a frame end in an error or in bytes (%i)', (round) => {
  const plain = bytesOf('scan scan beam echo '.repeat(200));
  const packed = compressLz4(plain);
  for (let at = 7 + round; at < packed.length; at += 8) {
    const changed = Uint8Array.from(packed);
    changed[at] = (changed[at] ?? 0) ^ (1 << round);
    try {
      expect(decompressLz4(changed, plain.length)).toHaveLength(plain.length);
    } catch (error) {
      expect(error).toHaveProperty('name', 'Lz4Error');
    }
  }
});
