import { encodeCompactScan, encodeMsgpackScan, TelegramSplitter } from '@azimuth/telegrams';
import { encoderBytes, imuBytes, scan, scan3Bytes, scanBytes } from '@azimuth/test-support/golden/compact';
import { bytesOf, crcOf, hexOf, joined, withCrc } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const [module] = scan.modules;
const twoModules = encodeCompactScan({ ...scan, modules: [...scan.modules, ...scan.modules] });
const noModule = encodeCompactScan({ ...scan, modules: [] });
const msgpack = encodeMsgpackScan({
  ...scan,
  modules: module === undefined ? [] : [{ ...module, scale: 1 }],
});
const all = [scanBytes, imuBytes, msgpack, twoModules, encoderBytes, noModule, scan3Bytes];

function split(stream: Uint8Array, sizes: readonly number[] = [stream.length]) {
  const splitter = new TelegramSplitter();
  const telegrams: string[] = [];
  let at = 0;
  for (let turn = 0; at < stream.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    telegrams.push(...splitter.push(stream.subarray(at, at + size)).map(hexOf));
    at += size;
  }
  return { telegrams, dropped: splitter.dropped };
}

describe('a stream of telegrams', () => {
  test('is split where one telegram ends and the next begins', () => {
    expect(split(joined(...all))).toEqual({ telegrams: all.map(hexOf), dropped: 0 });
  });

  test.each(Array.from({ length: scanBytes.length + 2 }, (_, size) => size + 1))(
    'comes in pieces of %i bytes',
    (size) => {
      expect(split(joined(...all), [size])).toEqual({ telegrams: all.map(hexOf), dropped: 0 });
    },
  );

  test('may arrive in pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), (sizes) => {
        expect(split(joined(...all, ...all), sizes).telegrams).toEqual([...all, ...all].map(hexOf));
      }),
    );
  });

  test('returns a telegram as soon as it is complete', () => {
    const splitter = new TelegramSplitter();
    expect(splitter.push(imuBytes.subarray(0, 63))).toEqual([]);
    expect(splitter.push(imuBytes.subarray(63))).toEqual([imuBytes]);
  });

  test('returns copies of the bytes', () => {
    const splitter = new TelegramSplitter();
    const [first] = splitter.push(imuBytes);
    splitter.push(new Uint8Array(5000).fill(0xff));
    expect(first).toEqual(imuBytes);
  });
});

describe('data that is not a telegram', () => {
  const broken = imuBytes.slice();
  broken[20] = 0xff;
  const version2 = scanBytes.slice();
  version2[24] = 2;
  const huge = bytesOf('02020202 01000010');
  const shortModule = withCrc(
    joined(scanBytes.subarray(0, 28), bytesOf('10000000'), scanBytes.subarray(32, -4)),
  );

  test.each([
    ['noise', bytesOf('00112233445566778899'), 10],
    ['a start that is one byte too long', bytesOf('02'), 1],
    ['half a start marker', bytesOf('020202ff'), 4],
    ['a CRC that does not fit', broken, broken.length],
    ['an unknown version', version2, version2.length],
    ['a size above 1 MiB', huge, huge.length],
    ['a module that is smaller than what it begins with', shortModule, shortModule.length],
    ['a telegram that is cut off', scanBytes.subarray(0, 100), 100],
  ])('is dropped: %s', (_, noise, dropped) => {
    const stream = joined(imuBytes, noise, scanBytes, encoderBytes, msgpack, scanBytes, scanBytes);
    const expected = [imuBytes, scanBytes, encoderBytes, msgpack, scanBytes, scanBytes].map(hexOf);
    expect(split(stream)).toEqual({ telegrams: expected, dropped });
    expect(split(stream, [1])).toEqual({ telegrams: expected, dropped });
  });

  test('costs no more than in proportion: a start marker with a large size, again and again', () => {
    const length = 600_000;
    const bait = bytesOf('02020202 c0270900');
    const stream = new Uint8Array(length * 2);
    for (let at = 0; at < stream.length; at += bait.length) stream.set(bait, at);
    const splitter = new TelegramSplitter();
    for (let at = 0; at < stream.length; at += 65_536) {
      expect(splitter.push(stream.subarray(at, at + 65_536))).toEqual([]);
    }
    expect(splitter.dropped).toBeGreaterThanOrEqual(length);
  });

  test('does not hide a telegram after it', () => {
    const random = fc.uint8Array({ maxLength: 200 }).filter((bytes) => !hexOf(bytes).includes('02'));
    fc.assert(
      fc.property(random, fc.integer({ min: 1, max: 50 }), (noise, size) => {
        expect(split(joined(noise, scanBytes, noise, imuBytes), [size])).toEqual({
          telegrams: [scanBytes, imuBytes].map(hexOf),
          dropped: 2 * noise.length,
        });
      }),
    );
  });

  test('is a scan whose module ends before its own beginning does, even where a CRC stands there that fits', () => {
    const head = joined(scanBytes.subarray(0, 28), bytesOf('10000000'), scanBytes.subarray(32, 48));
    const stream = joined(withCrc(head), new Uint8Array(60), imuBytes);
    expect(split(stream)).toEqual({ telegrams: [hexOf(imuBytes)], dropped: 52 + 60 });
  });

  test('of MSGPACK without content is none', () => {
    const empty = joined(bytesOf('02020202 00000000'), crcOf(new Uint8Array(0)));
    expect(split(joined(empty, imuBytes))).toEqual({ telegrams: [hexOf(imuBytes)], dropped: 12 });
  });
});
