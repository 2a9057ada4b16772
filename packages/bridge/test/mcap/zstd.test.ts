import { expect, test } from 'vitest';
import { decompressZstd } from '../../src/mcap/zstd.js';

const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));

/** `printf 'scan %.0s' $(seq 1000) | zstd -3` */
const ofZstdProgram = fromHex('28b52ffd04586d0000287363616e2001008083be6801d5915205');

test('a frame of the program zstd is read', () => {
  expect(new TextDecoder().decode(decompressZstd(ofZstdProgram, 5000))).toBe('scan '.repeat(1000));
});

test('damaged data is refused: what is cut off, has another size, or wants a huge window', () => {
  expect(() => decompressZstd(ofZstdProgram, 4999)).toThrow('expected 4999 bytes, got more');
  expect(() => decompressZstd(ofZstdProgram, 5001)).toThrow('expected 5001 bytes, got 5000');
  for (let length = 0; length < ofZstdProgram.length - 4; length++) {
    expect(() => decompressZstd(ofZstdProgram.subarray(0, length), 5000)).toThrow();
  }
  expect(() => decompressZstd(fromHex('28b52ffd 00 f8 010000'), 10)).toThrow('expected a window of up to');
});

test('a frame that states its size, with a sum, is read', () => {
  for (const head of ['20 03', 'a0 03000000', 'e0 0300000000000000', '80 00 03000000', '24 03']) {
    const sum = head.startsWith('24') ? '78b9b48f' : '';
    const frame = fromHex(`28b52ffd ${head} 190000 616263 ${sum}`);
    expect(new TextDecoder().decode(decompressZstd(frame, 3))).toBe('abc');
  }
});

test('frames behind the first one, and sizes that lie, take no memory', () => {
  const one = '28b52ffd 00 00 190000 616263';
  expect(new TextDecoder().decode(decompressZstd(fromHex(one), 3))).toBe('abc');
  // The second frame has a window of 2 GiB, then one of the largest allowed size.
  for (const window of ['a8', '88']) {
    const two = fromHex(`${one} 28b52ffd 00 ${window} 190000 616263`);
    expect(() => decompressZstd(two, 6)).toThrow('expected one frame of Zstandard of 24 bytes, got 12');
  }
  const lying = fromHex('28b52ffd a0 00000070 190000 616263');
  expect(() => decompressZstd(lying, 3)).toThrow('expected 3 bytes, got 1879048192');
});

test('blocks that repeat a byte a hundred thousand times end at the declared size', () => {
  const bomb = Buffer.concat([
    fromHex('28b52ffd 00 38'),
    ...new Array<Uint8Array>(10_000).fill(fromHex('020010 61')),
    fromHex('030010 61'),
  ]);
  expect(() => decompressZstd(bomb, 1_000_000)).toThrow('expected 1000000 bytes, got more');
});
