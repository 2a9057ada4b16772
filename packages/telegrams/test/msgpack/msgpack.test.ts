import {
  decodeTelegram,
  encodeMsgpackScan,
  type ScanModule,
  type ScanTelegram,
  TelegramError,
} from '@azimuth/telegrams';
import { bytesOf, crcOf, hexOf, joined } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { msgpackScans } from '../arbitraries.js';

/** Two beams of two echoes: reflector and blooming on the second echo of the first one. */
const scan: ScanTelegram = {
  sequence: 7,
  transmitTime: 0x1_0000_0002,
  modules: [
    {
      segmentIndex: 3,
      frameNumber: 258,
      sender: 0x01020304,
      rows: 1,
      columns: 2,
      echoes: 2,
      firstBeamTime: [1000],
      lastBeamTime: [70000],
      elevation: [0.5],
      firstAzimuth: [-1],
      lastAzimuth: [1.5],
      scale: 1,
      availability: 1,
      distance: Float32Array.of(1, 2, 0.5, 0),
      rssi: Uint16Array.of(1, 65535, 513, 0),
      properties: Uint8Array.of(0x41, 0x20),
      azimuth: Float32Array.of(-1, 1.5),
    },
  ],
};

/** An array of two numbers in front of its bytes. */
const twoF32 = '85 12 02 13 04 14 30 15 91 31 11 c408';
const twoU16 = '85 12 02 13 02 14 30 15 91 34 11 c404';
const twoU8 = '85 12 02 13 01 14 30 15 91 33 11 c402';

const payload = bytesOf(`
  82 10 cc90 11 88            # a segment and its 8 members
  ccb0 07                     # number
  ccb1 cf 0000000100000002    # sent
  cc91 03  cc92 cd0102        # segment 3, frame 258
  cc93 c3  cc94 ce01020304    # available, sender
  cca0 91 01                  # layer 1
  cc96 91 82 10 70 11 8d      # one layer and its 13 members
  71 cd03e8  72 ce00011170    # 1000 and 70000 µs
  73 ca bf800000  74 ca 3fc00000
  75 cd0102  76 00            # frame, module
  50 ${twoF32} 000080bf 0000c03f
  51 85 12 01 13 04 14 30 15 91 31 11 c404 0000003f
  52 92 ${twoF32} 0000803f 0000003f
        ${twoF32} 00000040 00000000
  53 92 ${twoU16} 0100 0102
        ${twoU16} ffff 0000
  54 92 ${twoU8} 00 02        # blooming of echo 0 in the second beam
        ${twoU8} 03 00        # reflector and blooming of echo 1 in the first
  77 02  78 02
`);

function framed(content: Uint8Array): Uint8Array {
  const head = bytesOf('02020202 00000000');
  new DataView(head.buffer).setUint32(4, content.length, true);
  return joined(head, content, crcOf(content));
}

const bytes = framed(payload);

describe('a scan in MSGPACK', () => {
  test('is written byte by byte as specified', () => {
    expect(hexOf(encodeMsgpackScan(scan))).toBe(hexOf(bytes));
  });

  test('is read back', () => {
    expect(decodeTelegram(bytes)).toEqual({ kind: 'scan', format: 'MSGPACK', telegram: scan });
  });

  test('is decoded to any scan that was encoded', () => {
    fc.assert(
      fc.property(msgpackScans, (telegram) => {
        expect(decodeTelegram(encodeMsgpackScan(telegram))).toEqual({
          kind: 'scan',
          format: 'MSGPACK',
          telegram,
        });
      }),
    );
  });

  test('keeps the reflector of a beam without an echo', () => {
    const modules = scan.modules.map((one) => ({
      ...one,
      distance: one.distance.map(() => 0),
      properties: new Uint8Array(one.rows * one.columns).fill(1),
    }));
    const decoded = decodeTelegram(encodeMsgpackScan({ ...scan, modules }));
    expect(decoded).toMatchObject({
      telegram: { modules: modules.map(({ properties }) => ({ properties })) },
    });
  });

  test('is written into a target of exactly its size', () => {
    const target = new Uint8Array(bytes.length + 5).fill(0xaa);
    const written = encodeMsgpackScan(scan, target.subarray(2, 2 + bytes.length));
    expect(written.buffer).toBe(target.buffer);
    expect(hexOf(target)).toBe(`aaaa${hexOf(bytes)}aaaaaa`);
    const large = new Uint8Array(4096);
    expect(encodeMsgpackScan(scan, large).buffer).toBe(large.buffer);
    expect(hexOf(large.subarray(0, bytes.length))).toBe(hexOf(bytes));
  });

  test('does not fit into a target that is too small', () => {
    expect(() => encodeMsgpackScan(scan, new Uint8Array(bytes.length - 1))).toThrow(
      new RangeError(`a telegram of ${bytes.length} bytes does not fit into a target of ${bytes.length - 1}`),
    );
  });

  test('takes distances of 16 bits, and one array of properties for all echoes', () => {
    const plain = hexOf(payload)
      .replace(hexOf(bytesOf(`${twoF32} 0000803f 0000003f`)), hexOf(bytesOf(`${twoU16} e803 0100`)))
      .replace(hexOf(bytesOf(`${twoF32} 00000040 00000000`)), hexOf(bytesOf(`${twoU16} ffff 0000`)))
      .replace(hexOf(bytesOf(`54 92 ${twoU8} 00 02 ${twoU8} 03 00`)), hexOf(bytesOf(`54 91 ${twoU8} 01 00`)));
    const read = decodeTelegram(framed(bytesOf(plain)));
    const [module] = read.kind === 'scan' ? read.telegram.modules : [];
    expect(module?.distance).toEqual(Float32Array.of(1000, 65535, 1, 0));
    expect(module?.properties).toEqual(Uint8Array.of(1, 0));
  });

  const theta = `50 ${twoF32} 000080bf 0000c03f`;
  const phi = '51 85 12 01 13 04 14 30 15 91 31 11 c404 0000003f';
  const distances = `52 92 ${twoF32} 0000803f 0000003f ${twoF32} 00000040 00000000`;
  const strengths = `53 92 ${twoU16} 0100 0102 ${twoU16} ffff 0000`;
  const properties = `54 92 ${twoU8} 00 02 ${twoU8} 03 00`;

  test.each([
    ['azimuths', [theta], ({ azimuth, ...others }: ScanModule) => others],
    ['an elevation', [phi], (module: ScanModule) => ({ ...module, elevation: [0] })],
    ['distances', [distances], (module: ScanModule) => ({ ...module, distance: new Float32Array(4) })],
    ['signal strength', [strengths], ({ rssi, ...others }: ScanModule) => others],
    ['properties', [properties], ({ properties, ...others }: ScanModule) => others],
    [
      'any of these',
      [theta, phi, distances, strengths, properties],
      ({ azimuth, rssi, properties, ...others }: ScanModule) => ({
        ...others,
        elevation: [0],
        distance: new Float32Array(4),
      }),
    ],
  ])('is read without %s', (_, members, expected) => {
    let rest = hexOf(payload);
    for (const member of members) {
      expect(rest).toContain(hexOf(bytesOf(member)));
      rest = rest.replace(hexOf(bytesOf(member)), '');
    }
    rest = rest.replace(
      '9182107011 8d'.replaceAll(' ', ''),
      `91821070118${(13 - members.length).toString(16)}`,
    );
    const read = decodeTelegram(framed(bytesOf(rest)));
    expect(read.kind === 'scan' && read.telegram.modules).toEqual(scan.modules.map(expected));
  });

  test('is read without a time of transmission, and with a number for its availability', () => {
    const rest = hexOf(payload)
      .replace('8210cc901188', '8210cc901187')
      .replace(hexOf(bytesOf('ccb1 cf 0000000100000002')), '')
      .replace('cc93c3', 'cc9305');
    const read = decodeTelegram(framed(bytesOf(rest)));
    expect(read.kind === 'scan' && read.telegram.transmitTime).toBe(0);
    expect(read.kind === 'scan' && read.telegram.modules[0]?.availability).toBe(5);
  });

  test('ignores unknown members at any depth', () => {
    const nested = `cce0 ${'91'.repeat(100)} 80 cce1 d9 02 6162 cce2 c7 01 05 ff cce3 cb0000000000000000`;
    const more = hexOf(payload).replace('8210cc901188', `8210cc90118c`).replace('ccb007', `${nested} ccb007`);
    expect(decodeTelegram(framed(bytesOf(more)))).toEqual(decodeTelegram(bytes));
  });

  test('puts layers with the same properties into one module, and others into separate ones', () => {
    const [module] = scan.modules;
    if (module === undefined) throw new Error('a module expected');
    const wide = {
      ...module,
      columns: 1,
      distance: Float32Array.of(7, 8),
      rssi: Uint16Array.of(1, 2),
      properties: Uint8Array.of(0),
      azimuth: Float32Array.of(0),
    };
    const read = decodeTelegram(encodeMsgpackScan({ ...scan, modules: [module, module, wide] }));
    if (read.kind !== 'scan') throw new Error('a scan expected');
    expect(read.telegram.modules.map(({ rows, columns }) => [rows, columns])).toEqual([
      [2, 2],
      [1, 1],
    ]);
    expect(read.telegram.modules[0]?.distance).toEqual(Float32Array.of(1, 2, 1, 2, 0.5, 0, 0.5, 0));
    expect(read.telegram.modules[1]).toEqual(wide);
  });

  test('is of one segment', () => {
    const other = scan.modules.map((module) => ({ ...module, segmentIndex: 4 }));
    expect(() => encodeMsgpackScan({ ...scan, modules: [...scan.modules, ...other] })).toThrow(RangeError);
    expect(() => encodeMsgpackScan({ ...scan, modules: [] })).toThrow('expected one module or more');
  });
});

describe('data that is not a scan in MSGPACK', () => {
  test('is refused: any bit flipped', () => {
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const altered = bytes.slice();
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeTelegram(altered), `bit ${bit}`).toThrow(TelegramError);
    }
  });

  test('is refused: cut off, wherever, or with something behind it', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeTelegram(bytes.subarray(0, length)), `${length} bytes`).toThrow(TelegramError);
    }
    expect(() => decodeTelegram(joined(bytes, bytesOf('00')))).toThrow('nothing behind the CRC');
  });

  test('is refused: a payload that is cut off, with a CRC that fits', () => {
    for (let length = 16; length < payload.length; length++) {
      expect(() => decodeTelegram(framed(payload.subarray(0, length))), `${length} bytes`).toThrow(
        TelegramError,
      );
    }
  });

  test.each([
    ['4 billion members', 'df ffffffff 00000000000000000000000000', 'map length (4294967295)'],
    ['4 billion layers', '82 10 cc90 11 81 cc96 dd ffffffff', 'array length (4294967295)'],
    ['65 layers', `82 10 cc90 11 81 cc96 dc 0041 ${'00'.repeat(65)}`, 'array length (65)'],
    ['4 billion bytes', '82 10 cc90 11 81 00 c6 ffffffff', 'bin length (4294967295)'],
    ['4 billion characters', '82 10 cc90 11 81 00 db ffffffff', 'byte length (4294967295)'],
    ['an extension of 4 billion bytes', '82 10 cc90 11 81 00 c9 ffffffff', 'ext length (4294967295)'],
    ['deep nesting', `82 10 cc90 11 81 00 ${'91'.repeat(60_000)}`, 'got one that is cut off'],
    ['something behind it', `80 ${'00'.repeat(15)}`, 'Extra 15 of 16 byte(s)'],
    ['no value at all', `c1 ${'00'.repeat(15)}`, 'Unrecognized type byte: 0xc1'],
    ['no map', 'b0 61616161616161616161616161616161', 'expected a map for a segment at byte 8, got text'],
    [
      'another class',
      '82 10 cc91 11 86 ccb001 ccb101 cc9101 cc9201 cc93c3 cc9401',
      'class 144 for a segment',
    ],
    ['no data', `82 10 cc90 00 ab ${'61'.repeat(11)}`, 'expected a map for data (key 17) of a segment'],
    [
      'a member missing',
      '82 10 cc90 11 83 ccb001 ccb101 00 a9 616161616161616161',
      'expected a number for key 145 in a segment at byte 8, got none',
    ],
    [
      'a text for availability',
      '82 10 cc90 11 86 ccb001 ccb101 cc9101 cc9201 cc93a131 cc9401',
      'expected a boolean for key 147 in a segment at byte 8, got text',
    ],
  ])('is refused: %s', (_, content, message) => {
    expect(() => decodeTelegram(framed(bytesOf(content)))).toThrow(message);
  });

  test.each([
    ['beams that are not there', '77 02  78 02', '77 ce0000ffff 78 02', '65535 numbers of key 80'],
    ['echoes that are not there', '77 02  78 02', '77 02 78 ce0000ffff', '65535 arrays of key 82'],
    ['beams beyond any scan', '77 02  78 02', '77 ceffffffff 78 02', 'at most 1048576 places for echoes'],
    ['echoes beyond any scan', '77 02  78 02', '77 02 78 ceffffffff', 'at most 1048576 places for echoes'],
    ['no echoes', '77 02  78 02', '77 02 78 00', 'one echo or more'],
    ['big-endian', '14 30 15 91 31 11 c404', '14 2f 15 91 31 11 c404', 'an array in little-endian (48)'],
    ['another type', '15 91 31 11 c404', '15 91 32 11 c404', 'an array of f32, u8 or u16'],
    ['a time below 0', '71 cd03e8', '71 d1ffff', 'a whole number from 0 on'],
    ['a time above 64 bits', '71 cd03e8', '71 cb7fe0000000000000', 'a whole number from 0 on, of 64 bits'],
  ])('is refused: a layer with %s', (_, from, to, message) => {
    const altered = hexOf(payload).replace(hexOf(bytesOf(from)), hexOf(bytesOf(to)));
    expect(altered).not.toBe(hexOf(payload));
    expect(() => decodeTelegram(framed(bytesOf(altered)))).toThrow(message);
  });

  test('takes no room for the numbers below those of members that are not known', () => {
    // Maps in maps, each with member 149 alone: as keys of objects these numbers would take 2 KB each.
    const maps = bytesOf('81 cc95'.repeat(1000));
    const nested = joined(bytesOf('82 10 cc90 11'), ...Array<Uint8Array>(200).fill(maps), bytesOf('00'));
    const telegram = framed(nested);
    const before = process.memoryUsage().heapUsed;
    expect(() => decodeTelegram(telegram)).toThrow('a number for key 145 in a segment');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150e6);
  });

  test('is refused, or read: random changes with a CRC that fits', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: payload.length - 1 }),
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        (at, change) => {
          const altered = payload.slice();
          altered.set(change.subarray(0, altered.length - at), at);
          expect(outcomeOf(framed(altered))).toMatch(/^(scan|TelegramError)$/);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function outcomeOf(telegram: Uint8Array): string {
  try {
    return decodeTelegram(telegram).kind;
  } catch (error) {
    return error instanceof Error ? error.name : 'something else';
  }
}
