import {
  azimuthCodesOf,
  decodeTelegram,
  encodeCompactScan,
  encodeEncoder,
  encodeImu,
  type ScanModule,
  type Telegram,
  TelegramError,
} from '@azimuth/telegrams';
import {
  encoder,
  encoderBytes,
  fullScan3,
  fullScan3Bytes,
  imu,
  imuBytes,
  scan,
  scan3,
  scan3Bytes,
  scanBytes,
} from '@azimuth/test-support/golden/compact';
import { bytesOf, hexOf, joined, withCrc } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactScans, encoders, imus } from '../arbitraries.js';

const whole: readonly (readonly [string, Uint8Array, Telegram])[] = [
  ['a scan in version 4', scanBytes, { kind: 'scan', format: 'Compact', telegram: scan }],
  [
    'a scan in version 3 with everything',
    fullScan3Bytes,
    { kind: 'scan', format: 'Compact', telegram: fullScan3 },
  ],
  ['a scan in version 3', scan3Bytes, { kind: 'scan', format: 'Compact', telegram: scan3 }],
  ['a motion', imuBytes, { kind: 'imu', telegram: imu }],
  ['an encoder', encoderBytes, { kind: 'encoder', telegram: encoder }],
];

function encoded(telegram: Telegram, target?: Uint8Array): Uint8Array {
  if (telegram.kind === 'imu') return encodeImu(telegram.telegram, target);
  if (telegram.kind === 'encoder') return encodeEncoder(telegram.telegram, target);
  return encodeCompactScan(telegram.telegram, target);
}

/** A telegram with its azimuths as codes: a code stands for 1/5215 rad, so that azimuths come back to half of that. */
function withCodes(telegram: Telegram): unknown {
  if (telegram.kind !== 'scan') return telegram;
  const modules = telegram.telegram.modules.map(({ azimuth, ...module }) => ({
    ...module,
    codes: azimuth === undefined ? undefined : [...azimuthCodesOf(azimuth)],
  }));
  return { ...telegram, telegram: { ...telegram.telegram, modules } };
}

describe.each(whole)('%s in Compact', (_, bytes, telegram) => {
  test('is written byte by byte as specified', () => {
    expect(hexOf(encoded(telegram))).toBe(hexOf(bytes));
  });

  test('is read back', () => {
    expect(withCodes(decodeTelegram(bytes))).toEqual(withCodes(telegram));
  });

  test('is written into a target and leaves the rest of it alone', () => {
    const target = new Uint8Array(bytes.length + 7).fill(0xaa);
    const written = encoded(telegram, target.subarray(3));
    expect(written.buffer).toBe(target.buffer);
    expect(hexOf(target)).toBe(`aaaaaa${hexOf(bytes)}aaaaaaaa`);
  });

  test('does not fit into a target that is too small', () => {
    const size = bytes.length;
    expect(() => encoded(telegram, new Uint8Array(size - 1))).toThrow(
      new RangeError(`a telegram of ${size} bytes does not fit into a target of ${size - 1}`),
    );
  });

  test('is refused if any bit is flipped', () => {
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const altered = bytes.slice();
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeTelegram(altered), `bit ${bit}`).toThrow(TelegramError);
    }
  });

  test('is refused if it is cut off at any place', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeTelegram(bytes.subarray(0, length)), `${length} bytes`).toThrow(TelegramError);
    }
  });
});

test('echoes that are not there are written as zeros, one by one, whatever the target held', () => {
  const [module] = scan.modules;
  if (module === undefined) throw new Error('a module expected');
  const beams = {
    ...module,
    columns: 4,
    echoes: 3,
    distance: Float32Array.of(2, 0, 0, 4, 0, 6, 8, 10, 0, 0, 0, 0),
    rssi: Uint16Array.of(1, 0, 0, 2, 0, 3, 4, 5, 0, 0, 6, 7),
    properties: new Uint8Array(4),
    azimuth: new Float32Array(4),
  };
  const target = new Uint8Array(200).fill(0xaa);
  const written = encodeCompactScan({ ...scan, modules: [beams] }, target);
  // An azimuth of 0 is 16384: 0040.
  const expected = bytesOf(`
    0100 0100 0000 0000 0000 0000 00 0040
    0200 0200 0000 0000 0300 0300 00 0040
    0400 0400 0500 0500 0000 0000 00 0040
    0000 0000 0000 0600 0000 0700 00 0040
  `);
  expect(hexOf(written.subarray(104, -4))).toBe(hexOf(expected));
});

/** The module without the echoes of each beam behind the first ones. */
function withMost(module: ScanModule, mostEchoes: number): ScanModule {
  const isKept = (_: number, place: number) => place % module.echoes < mostEchoes;
  const distance = module.distance.map((value, place) => (isKept(value, place) ? value : 0));
  const rssi = module.rssi?.map((value, place) => (isKept(value, place) ? value : 0));
  return { ...module, distance, rssi };
}

test('the same bytes are written if the module states how many echoes its beams have at most', () => {
  fc.assert(
    fc.property(compactScans, fc.integer({ min: 0, max: 3 }), (telegram, mostEchoes) => {
      const modules = telegram.modules.map((module) => withMost(module, mostEchoes));
      const bytes = encodeCompactScan({ ...telegram, modules });
      const stated = modules.map((module) => ({ ...module, mostEchoes }));
      const target = new Uint8Array(bytes.length).fill(0xaa);
      expect(hexOf(encodeCompactScan({ ...telegram, modules: stated }, target))).toBe(hexOf(bytes));
    }),
  );
});

test('the same bytes are written if the module states that its beams have no properties', () => {
  fc.assert(
    fc.property(compactScans, (telegram) => {
      const modules = telegram.modules.map((module) => ({
        ...module,
        properties: module.properties?.map(() => 0),
      }));
      const bytes = encodeCompactScan({ ...telegram, modules });
      const stated = modules.map((module) => ({ ...module, hasProperties: false }));
      const target = new Uint8Array(bytes.length).fill(0xaa);
      expect(hexOf(encodeCompactScan({ ...telegram, modules: stated }, target))).toBe(hexOf(bytes));
    }),
  );
});

test('the same bytes are written with codes of azimuths that were sent before, whatever else a beam has', () => {
  fc.assert(
    fc.property(compactScans, (telegram) => {
      const modules = telegram.modules.map((module) => ({
        ...module,
        azimuthCodes: module.azimuth === undefined ? undefined : azimuthCodesOf(module.azimuth),
      }));
      for (const left of [{}, { rssi: undefined }, { properties: undefined }, {}]) {
        const expected = telegram.modules.map((module) => ({ ...module, ...left }));
        const sent = modules.map((module) => ({ ...module, ...left }));
        const bytes = encodeCompactScan({ ...telegram, modules: expected });
        expect(hexOf(encodeCompactScan({ ...telegram, modules: sent }))).toBe(hexOf(bytes));
      }
    }),
  );
});

describe('behind the CRC', () => {
  test('further bytes are ignored in a scan and in an encoder', () => {
    for (const bytes of [scanBytes, scan3Bytes, encoderBytes]) {
      expect(decodeTelegram(joined(bytes, bytesOf('02020202')))).toEqual(decodeTelegram(bytes));
    }
  });

  test('more bytes are a fault in a motion', () => {
    expect(() => decodeTelegram(joined(imuBytes, bytesOf('00')))).toThrow(
      'expected 64 bytes at byte 65, got 65 bytes',
    );
  });
});

describe('a scan in Compact', () => {
  const [module] = scan.modules;
  const one = (change: Partial<ScanModule>) => ({
    ...scan,
    modules: module === undefined ? [] : [{ ...module, ...change }],
  });

  test('is decoded to any scan that was encoded', () => {
    fc.assert(
      fc.property(compactScans, (telegram) => {
        expect(decodeTelegram(encodeCompactScan(telegram))).toEqual({
          kind: 'scan',
          format: 'Compact',
          telegram,
        });
      }),
    );
  });

  test('declares the size of each module, 0 behind the last one', () => {
    const bytes = encodeCompactScan({ ...scan, modules: [...scan.modules, ...scan.modules] });
    expect(bytes.length).toBe(32 + 2 * 94 + 4);
    const view = new DataView(bytes.buffer);
    expect(view.getUint32(28, true)).toBe(94);
    expect(view.getUint32(32 + 64, true)).toBe(94);
    expect(view.getUint32(32 + 94 + 64, true)).toBe(0);
  });

  test('may have no module', () => {
    const empty = { sequence: 1, transmitTime: 2, version: 4 as const, modules: [] };
    const bytes = encodeCompactScan(empty);
    expect(bytes.length).toBe(36);
    expect(decodeTelegram(bytes)).toEqual({ kind: 'scan', format: 'Compact', telegram: empty });
  });

  test('is of version 4 if no version is given', () => {
    const { version, ...without } = scan;
    expect(version).toBe(4);
    expect(encodeCompactScan(without)).toEqual(scanBytes);
  });

  test('limits distances and azimuths to what a code can represent', () => {
    const bytes = encodeCompactScan(
      one({
        scale: 1,
        distance: Float32Array.of(1.5, 65536, Number.NaN, -3),
        azimuth: Float32Array.of(-4, 10),
      }),
    );
    const beams = hexOf(bytes.subarray(32 + 72, -4));
    // 2 and 65535, 0 and 0; azimuth 0 and 65535.
    expect(beams).toBe('0200 0100 ffff ffff 21 0000 0000 0102 0000 0000 00 ffff'.replaceAll(' ', ''));
  });

  test.each([1, 3])('limits distances in every loop (echo places: %i)', (echoes) => {
    const limited = [1.5, 65536, Number.NaN, -3];
    const bytes = encodeCompactScan(
      one({
        columns: 4,
        echoes,
        scale: 1,
        distance: Float32Array.from({ length: 4 * echoes }, (_, place) => limited[place % 4] ?? 0),
        rssi: new Uint16Array(4 * echoes).fill(1),
        properties: new Uint8Array(4),
        azimuth: new Float32Array(4),
      }),
    );
    const codes = ['0200', 'ffff', '0000', '0000'];
    const beams = [0, 1, 2, 3].map((beam) => {
      const places = Array.from({ length: echoes }, (_, echo) => beam * echoes + echo);
      return `${places.map((place) => `${codes[place % 4]}0100`).join('')}000040`;
    });
    expect(hexOf(bytes.subarray(32 + 72, -4))).toBe(beams.join(''));
  });

  test.each([
    [1, 1024],
    [3, 1024],
    [1, 2500],
    [2, 2500],
    [3, 2500],
    [3, 5000],
  ])('may have thousands of beams (echo places: %i, beams: %i)', (echoes, columns) => {
    const places = columns * echoes;
    const long = one({
      columns,
      echoes,
      scale: 1,
      distance: Float32Array.from({ length: places }, (_, place) => (place * 7) % 60_000),
      rssi: Uint16Array.from({ length: places }, (_, place) => place * 11),
      properties: Uint8Array.from({ length: columns }, (_, beam) => beam * 3),
      azimuth: new Float32Array(columns),
    });
    const target = new Uint8Array(80_000).fill(0xaa);
    const bytes = encodeCompactScan(long, target);
    expect(decodeTelegram(bytes)).toEqual({ kind: 'scan', format: 'Compact', telegram: long });
    expect(target.subarray(bytes.length).every((byte) => byte === 0xaa)).toBe(true);
  });

  test('requires arrays of the right length', () => {
    expect(() => encodeCompactScan(one({ rssi: new Uint16Array(3) }))).toThrow(
      new RangeError('rssi: expected 4 numbers, got 3'),
    );
  });

  test('may declare other sizes of modules than they have: they follow from the beams', () => {
    const altered = scanBytes.slice(0, -4);
    new DataView(altered.buffer).setUint32(28, 1, true);
    expect(decodeTelegram(withCrc(altered))).toEqual(decodeTelegram(scanBytes));
  });

  test.each([
    ['rows', 20],
    ['columns', 24],
    ['echoes', 28],
  ])('that declares 4 billion %s is refused before any memory is taken', (_, at) => {
    const altered = scanBytes.slice(0, -4);
    new DataView(altered.buffer).setUint32(32 + at, 0xffffffff, true);
    expect(() => decodeTelegram(withCrc(altered))).toThrow(TelegramError);
  });

  test('of beams without a byte is refused', () => {
    const altered = scan3Bytes.slice(0, -4);
    const view = new DataView(altered.buffer);
    view.setUint32(32 + 24, 0xffffffff, true);
    view.setUint32(32 + 28, 0, true);
    expect(() => decodeTelegram(withCrc(altered))).toThrow('expected beams of one byte or more at byte 60');
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('of scale %d is refused', (scale) => {
    const altered = scanBytes.slice(0, -4);
    new DataView(altered.buffer).setFloat32(32 + 60, scale, true);
    expect(() => decodeTelegram(withCrc(altered))).toThrow('expected a scale above 0 at byte 92');
  });

  test('without distances is refused', () => {
    const altered = scanBytes.slice(0, -4);
    altered[32 + 69] = 2;
    expect(() => decodeTelegram(withCrc(altered))).toThrow('distance (bit 0)');
  });
});

describe('motions and encoders', () => {
  test('are decoded to what was encoded', () => {
    fc.assert(
      fc.property(imus, encoders, (motion, position) => {
        expect(decodeTelegram(encodeImu(motion))).toEqual({ kind: 'imu', telegram: motion });
        expect(decodeTelegram(encodeEncoder(position))).toEqual({ kind: 'encoder', telegram: position });
      }),
    );
  });
});

describe('a refusal', () => {
  const altered = (bytes: Uint8Array, at: number, value: number) => {
    const copy = bytes.slice();
    new DataView(copy.buffer).setUint32(at, value, true);
    return copy;
  };

  test.each([
    [
      'no start marker',
      altered(imuBytes, 0, 0x03020202),
      'expected start marker 02020202 at byte 0, got 03020202',
    ],
    ['another version of a scan', altered(scanBytes, 24, 2), 'expected version 3 or 4 at byte 24, got 2'],
    ['another version of a motion', altered(imuBytes, 8, 2), 'expected version 1 at byte 8, got 2'],
    ['another version of an encoder', altered(encoderBytes, 24, 4), 'expected version 1 at byte 24, got 4'],
    ['a short payload', altered(encoderBytes, 28, 51), 'expected a payload of 52 bytes at byte 28, got 51'],
    [
      'a telegram that is cut off',
      imuBytes.subarray(0, 5),
      'expected 8 bytes or more at byte 5, got 5 bytes',
    ],
    ['a CRC', altered(imuBytes, 60, 0x12345678), /^expected CRC 0x[0-9a-f]{8} at byte 60, got 0x12345678$/],
  ])('says what is wrong: %s', (_, bytes, message) => {
    expect(() => decodeTelegram(bytes)).toThrow(message);
  });

  test('is all that random bytes come to', () => {
    const start = fc.constantFrom('', '02020202', '0202020201000000', '0202020202000000', '0202020204000000');
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (beginning, rest) => {
        expect(() => decodeTelegram(joined(bytesOf(beginning), rest))).toThrow(TelegramError);
      }),
    );
  });

  test('or a telegram is all that a CRC over random numbers comes to', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: scanBytes.length - 5 }),
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        (at, change) => {
          const copy = scanBytes.slice(0, -4);
          copy.set(change.subarray(0, copy.length - at), at);
          expect(outcomeOf(withCrc(copy))).toMatch(/^(scan|imu|encoder|TelegramError)$/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function outcomeOf(bytes: Uint8Array): string {
  try {
    return decodeTelegram(bytes).kind;
  } catch (error) {
    return error instanceof Error ? error.name : 'something else';
  }
}
