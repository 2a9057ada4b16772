import { describe, expect, it } from 'vitest';
import { BadFrame, binaryFrame, FrameReader, hex, textFrame } from './legacy/frames.js';
import { decodeScan } from './legacy/scan.js';
import { ipv4, list, struct, type Type, text } from './legacy/types.js';
import { decode, encode } from './legacy/values.js';
import { errorCodeOf, login, passwordHash, telegramOf } from './legacy-client.js';

const filter: Type = struct({
  bEnable: 'boolean',
  fThetaStart: 'int32',
  fThetaStop: 'int32',
  fPhiStart: 'int32',
  fPhiStop: 'int32',
  uiBeamIncrement: 'uint16',
});
const wide = {
  bEnable: false,
  fThetaStart: -1_380_000,
  fThetaStop: 1_380_000,
  fPhiStart: -900_000,
  fPhiStop: 900_000,
  uiBeamIncrement: 1,
};

describe('frames', () => {
  it.each([
    ['sMN Run', '02 73 4d 4e 20 52 75 6e 03', '02 02 02 02 00 00 00 07 73 4d 4e 20 52 75 6e 19'],
    [
      'sRN LMDscandata',
      '02 73 52 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 03',
      '02 02 02 02 00 00 00 0f 73 52 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 05',
    ],
  ])('of %s are those of the documents', (payload, a, b) => {
    expect(textFrame(payload)).toEqual(hex(a));
    expect(binaryFrame(payload)).toEqual(hex(b));
  });

  it('are found in pieces of any size', () => {
    const bytes = Buffer.concat([textFrame('sAN Run 1'), binaryFrame('sFA\0\x03'), textFrame('sFA 3')]);
    for (let size = 1; size <= bytes.length; size += 1) {
      const reader = new FrameReader();
      const frames = [];
      for (let at = 0; at < bytes.length; at += size)
        frames.push(...reader.push(bytes.subarray(at, at + size)));
      expect(frames.map(({ dialect, payload }) => `${dialect} ${payload.toString('latin1')}`)).toEqual([
        'A sAN Run 1',
        'B sFA\0\x03',
        'A sFA 3',
      ]);
      expect(reader.pending).toBe(0);
    }
  });

  it.each([
    ['a byte between two frames', Buffer.concat([textFrame('x'), Buffer.from(' '), textFrame('y')])],
    ['a wrong checksum', hex('02 02 02 02 00 00 00 07 73 4d 4e 20 52 75 6e 18')],
    ['a monstrous length', hex('02 02 02 02 7f 00 00 07 73')],
  ])('refuse %s', (_, bytes) => {
    expect(() => new FrameReader().push(bytes)).toThrow(BadFrame);
  });
});

describe('values', () => {
  it.each<[string, Type, unknown, string, string]>([
    ['a login', login, { level: 4, hash: 0x81be23aa }, '4 81BE23AA', '04 81 be 23 aa'],
    [
      'a destination',
      struct({ Protocol: 'uint8', IPAddress: ipv4, Port: 'uint16' }),
      { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 2115 },
      '1 7F 0 0 1 843',
      '01 7f 00 00 01 08 43',
    ],
    [
      'an angle range',
      filter,
      wide,
      '0 FFEAF160 150EA0 FFF24460 DBBA0 1',
      '00 ff ea f1 60 00 15 0e a0 ff f2 44 60 00 0d bb a0 00 01',
    ],
    ['a string', text(0, 32), 'not defined', 'B not defined', '00 0b 6e 6f 74 20 64 65 66 69 6e 65 64'],
    ['no string', struct({ a: text(0, 9), b: 'uint8' }), { a: '', b: 1 }, '0 1', '00 00 01'],
    [
      'a string of one length',
      struct({ a: text(4), b: 'boolean' }),
      { a: '    ', b: true },
      '     1',
      '20 20 20 20 01',
    ],
    ['a float', 'float', 0.5, '3F000000', '3f 00 00 00'],
    ['a list of any length', list('uint16', 0, 4), [1, 0x1ff], '2 1 1FF', '00 02 00 01 01 ff'],
    ['a byte below zero', 'int8', -5, 'FB', 'fb'],
    ['many bits', 'uint64', 2 ** 52 + 1, '10000000000001', '00 10 00 00 00 00 00 01'],
  ])('%s is encoded and decoded', (_, type, value, inText, inBinary) => {
    expect(encode('A', type, value).toString('latin1')).toBe(inText);
    expect(encode('B', type, value)).toEqual(hex(inBinary));
    expect(decode('A', type, Buffer.from(inText, 'latin1'))).toEqual(value);
    expect(decode('B', type, hex(inBinary))).toEqual(value);
  });

  it.each<[string, Type, string]>([
    ['a zero in front', 'uint8', '01'],
    ['small letters', 'uint8', 'a'],
    ['something behind', 'uint8', '1 '],
    ['two blanks', list('uint8', 2), '1  2'],
    ['too many bits', 'uint8', '100'],
    ['a short float', 'float', '0'],
    ['a short string', text(0, 9), '5 abcd'],
  ])('refuse %s', (_, type, words) => {
    expect(() => decode('A', type, Buffer.from(words))).toThrow();
  });

  it.each([
    ['main', 0xb21ace26],
    ['client', 0xf4724744],
    ['servicelevel', 0x81be23aa],
  ])('hash the password %s as in devices', (password, hash) => {
    expect(passwordHash(password)).toBe(hash);
  });

  it('decode a refusal in both framings', () => {
    expect(errorCodeOf(telegramOf({ dialect: 'A', payload: Buffer.from('sFA 1A') }))).toBe(0x1a);
    expect(errorCodeOf(telegramOf({ dialect: 'B', payload: hex('73 46 41 00 08') }))).toBe(8);
    expect(() => errorCodeOf(telegramOf({ dialect: 'B', payload: hex('73 46 41 20 00 08') }))).toThrow();
    expect(() => errorCodeOf(telegramOf({ dialect: 'A', payload: Buffer.from('sRA x') }))).toThrow();
  });
});

const threePoints =
  'sRA LMDscandata 1 1 1020304 0 0 1 1 F4240 F59B0 0 0 0 0 0 5DC A2 0 2 DIST1 3F800000 00000000 FFF8AD00 D05 3 3E8 3E9 0 RSSI1 3F800000 00000000 FFF8AD00 D05 3 C8 C9 0 0 0 0 0 0 0';
const threePointsInBinary = hex(`02 02 02 02 00 00 00 7a
  73 52 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 00 01 00 01 01 02 03 04 00 00 00 01 00 01 00 0f 42 40 00 0f 59 b0
  00 00 00 00 00 00 00 00 05 dc 00 00 00 a2 00 00 00 02 44 49 53 54 31 3f 80 00 00 00 00 00 00 ff f8 ad 00 0d 05 00 03
  03 e8 03 e9 00 00 52 53 53 49 31 3f 80 00 00 00 00 00 00 ff f8 ad 00 0d 05 00 03 00 c8 00 c9 00 00 00 00 00 00 00 00
  00 00 00 00 00 00 ad`);

describe('scan data', () => {
  const scan = {
    command: 'sRA',
    version: 1,
    device: 1,
    serial: 0x1020304,
    status: [0, 0],
    telegram: 1,
    scan: 1,
    sinceStart: 1_000_000,
    sent: 1_006_000,
    inputs: [0, 0],
    outputs: [0, 0],
    layer: 0,
    frequency: 1500,
    measurements: 162,
    encoders: [],
    wide: [
      { content: 'DIST1', scale: 1, offset: 0, start: -480_000, step: 3333, data: [1000, 1001, 0] },
      { content: 'RSSI1', scale: 1, offset: 0, start: -480_000, step: 3333, data: [200, 201, 0] },
    ],
    narrow: [],
    position: false,
    name: undefined,
    comment: undefined,
    time: undefined,
    event: false,
  };

  it('of three points is equal in text and in binary', () => {
    expect(decodeScan({ dialect: 'A', payload: Buffer.from(threePoints) })).toEqual(scan);
    const [frame] = new FrameReader().push(threePointsInBinary);
    expect(frame && decodeScan(frame)).toEqual(scan);
  });

  it('reads all bytes and no more', () => {
    for (const words of [`${threePoints} 0`, `${threePoints} `, threePoints.slice(0, -2)]) {
      expect(() => decodeScan({ dialect: 'A', payload: Buffer.from(words) }), words).toThrow();
    }
    const payload = threePointsInBinary.subarray(8, -1);
    for (const bytes of [payload.subarray(0, -1), Buffer.concat([payload, Buffer.alloc(1)])]) {
      expect(() => decodeScan({ dialect: 'B', payload: bytes })).toThrow();
    }
  });

  // The head of a telegram recorded from a device, with the first of its distances, and the tail with the time.
  it('of a device is decoded as by hand', () => {
    const channel = (content: string, data: string) =>
      `${Buffer.from(content).toString('hex')} 3f 80 00 00 00 00 00 00 ff f9 22 30 0d 05 00 03 ${data}`;
    const payload = hex(`73 53 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 20
      00 01 00 01 01 19 fd 06 00 00 af b1 af b5 b3 a8 05 e3 b3 a8 1e 29 00 00 08 00 00 00 00 00 05 dc 00 00 00 a2 00 00 00 02
      ${channel('DIST1', '02 72 02 91 02 68')} ${channel('RSSI1', '25 0c 24 88 25 cf')}
      00 00 00 00 00 00 00 00 00 01 07 b2 01 01 00 32 0e 00 02 13 40 00 00`);
    const read = decodeScan({ dialect: 'B', payload });
    expect(read).toMatchObject({
      serial: 18_480_390,
      telegram: 44_977,
      scan: 44_981,
      sinceStart: 3_014_133_219,
      sent: 3_014_139_433,
      outputs: [8, 0],
      time: [1970, 1, 1, 0, 50, 14, 136_000],
    });
    expect(read.wide.map(({ start, data }) => [start, data[0]])).toEqual([
      [-450_000, 626],
      [-450_000, 0x250c],
    ]);
  });

  it('has its blocks after the channels: a name with blanks, no comment, a time', () => {
    const words = threePoints.replace(/0 0 0 0 0 0$/, '0 0 1 B not defined 0 1 7B2 1 1 0 2A 27 28870 0');
    const read = decodeScan({ dialect: 'A', payload: Buffer.from(words) });
    expect(read.name).toBe('not defined');
    expect(read.time).toEqual([1970, 1, 1, 0, 42, 39, 166_000]);
  });
});
