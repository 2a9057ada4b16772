import type { LmdScan } from '@azimuth/telegrams/legacy';
import { bytesOf } from './hex.js';

const channel = { scale: 1, offset: 0, startAngle: -480_000, angularStep: 3333 } as const;

/** Three beams with distance and signal strength, without optional fields. */
export const threeBeams: LmdScan = {
  version: 1,
  deviceNumber: 1,
  serialNumber: 0x01020304,
  status: [0, 0],
  telegramCounter: 1,
  scanCounter: 1,
  scanTime: 1_000_000,
  transmitTime: 1_006_000,
  inputs: [0, 0],
  outputs: [0, 0],
  layerAngle: 0,
  scanFrequency: 1500,
  measurementFrequency: 162,
  encoders: [],
  channels16: [
    { ...channel, content: 'DIST1', data: Uint16Array.of(1000, 1001, 0) },
    { ...channel, content: 'RSSI1', data: Uint16Array.of(200, 201, 0) },
  ],
  channels8: [],
};

/** The telegram as the response to a request. */
export const threeBeamsText =
  'sRA LMDscandata 1 1 1020304 0 0 1 1 F4240 F59B0 0 0 0 0 0 5DC A2 0 2 ' +
  'DIST1 3F800000 00000000 FFF8AD00 D05 3 3E8 3E9 0 RSSI1 3F800000 00000000 FFF8AD00 D05 3 C8 C9 0 0 0 0 0 0 0';

/** The complete frame. */
export const threeBeamsBinary = bytesOf(`
  02 02 02 02 00 00 00 7a 73 52 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 00 01 00 01 01 02 03 04 00 00
  00 01 00 01 00 0f 42 40 00 0f 59 b0 00 00 00 00 00 00 00 00 05 dc 00 00 00 a2 00 00 00 02
  44 49 53 54 31 3f 80 00 00 00 00 00 00 ff f8 ad 00 0d 05 00 03 03 e8 03 e9 00 00
  52 53 53 49 31 3f 80 00 00 00 00 00 00 ff f8 ad 00 0d 05 00 03 00 c8 00 c9 00 00
  00 00 00 00 00 00 00 00 00 00 00 00 ad`);

/** A scan with all optional fields. */
export const everything: LmdScan = {
  version: 0,
  deviceNumber: 65535,
  serialNumber: 0xfedcba98,
  status: [1, 5],
  telegramCounter: 0xabcd,
  scanCounter: 0x10,
  scanTime: 0xffffffff,
  transmitTime: 9,
  inputs: [0x81, 2],
  outputs: [0x3e, 0],
  layerAngle: -250,
  scanFrequency: 5000,
  measurementFrequency: 360,
  encoders: [
    { ticks: 1000, speed: 2 },
    { ticks: 0x80000000, speed: 65535 },
  ],
  channels16: [
    {
      content: 'DIST1',
      scale: 2,
      offset: -0.5,
      startAngle: 303_333,
      angularStep: 5000,
      data: Uint16Array.of(0, 15, 16, 255, 256, 4095, 4096, 65535),
    },
  ],
  channels8: [
    {
      content: 'RSSI1',
      scale: 1,
      offset: 0,
      startAngle: -1,
      angularStep: 10_000,
      data: Uint8Array.of(0, 15, 16, 255),
    },
  ],
  position: { x: 1, y: -2, z: 0.5, rotationX: 0, rotationY: 1.5, rotationZ: -1, rotationType: 3 },
  deviceName: 'Gate 3',
  comment: 'Tür',
  time: { year: 1970, month: 1, day: 1, hour: 0, minute: 42, second: 39, microsecond: 166_000 },
  event: { type: 'FDIN', encoderTicks: 4660, time: 10, angle: -450_000 },
};

/** The payload without a head, one character a byte. */
export const everythingText = [
  '0 FFFF FEDCBA98 1 5 ABCD 10 FFFFFFFF 9 81 2 3E 0 FF06 1388 168',
  '2 3E8 2 80000000 FFFF',
  '1 DIST1 40000000 BF000000 4A0E5 1388 8 0 F 10 FF 100 FFF 1000 FFFF',
  '1 RSSI1 3F800000 00000000 FFFFFFFF 2710 4 0 F 10 FF',
  '1 3F800000 C0000000 3F000000 00000000 3FC00000 BF800000 3',
  '1 6 Gate 3 1 4 T\u00c3\u00bcr',
  '1 7B2 1 1 0 2A 27 28870',
  '1 FDIN 1234 A FFF92230',
].join(' ');

/** The payload without a head. */
export const everythingBinary = bytesOf(`
  0000 ffff fedcba98 01 05 abcd 0010 ffffffff 00000009 81 02 3e 00 ff06 00001388 00000168
  0002  000003e8 0002  80000000 ffff                                       # encoders
  0001  4449535431 40000000 bf000000 0004a0e5 1388
  0008  0000 000f 0010 00ff 0100 0fff 1000 ffff                             # 16 bits
  0001  5253534931 3f800000 00000000 ffffffff 2710  0004  00 0f 10 ff       # 8 bits
  0001  3f800000 c0000000 3f000000 00000000 3fc00000 bf800000 03            # position
  0001  0006 476174652033                                                   # name
  0001  0004 54c3bc72                                                       # comment
  0001  07b2 01 01 00 2a 27 00028870                                        # time
  0001  4644494e 00001234 0000000a fff92230                                 # event`);

/** The distances and strengths of 811 beams: the known ones of a recorded telegram at both ends, and other values between. */
function measured(first: readonly number[], last: readonly number[]): Uint16Array {
  const data = Uint16Array.from({ length: 811 }, (_, index) => 100 + index);
  data.set(first);
  data.set(last, 811 - last.length);
  return data;
}

const turned = { scale: 1, offset: 0, startAngle: -450_000, angularStep: 3333 } as const;

/** A telegram of a device with a field of view of 270°. */
export const recorded: LmdScan = {
  version: 1,
  deviceNumber: 1,
  serialNumber: 18_480_390,
  status: [0, 0],
  telegramCounter: 44_977,
  scanCounter: 44_981,
  scanTime: 3_014_133_219,
  transmitTime: 3_014_139_433,
  inputs: [0, 0],
  outputs: [8, 0],
  layerAngle: 0,
  scanFrequency: 1500,
  measurementFrequency: 162,
  encoders: [],
  channels16: [
    { ...turned, content: 'DIST1', data: measured([626, 657, 616, 2, 2], [182, 178, 154, 176]) },
    { ...turned, content: 'RSSI1', data: measured([8177, 7678, 7840, 0, 0], [9484, 9352, 9679, 9461]) },
  ],
  channels8: [],
  time: { year: 1970, month: 1, day: 1, hour: 0, minute: 50, second: 14, microsecond: 136_000 },
};

export const recordedFrameBytes = 3374;

/** The frame up to its first distances. */
export const recordedHead = bytesOf(`
  02 02 02 02 00 00 0d 25 73 53 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 20
  00 01  00 01  01 19 fd 06  00 00  af b1  af b5  b3 a8 05 e3  b3 a8 1e 29  00 00  08 00  00 00
  00 00 05 dc  00 00 00 a2  00 00  00 02
  44 49 53 54 31  3f 80 00 00  00 00 00 00  ff f9 22 30  0d 05  03 2b  02 72 02 91 02 68 00 02 00 02`);

/** Its last distances (at offset 1691 of the payload) and the bytes in front of the first strengths. */
export const recordedMiddle = bytesOf(`
  00 b6 00 b2 00 9a 00 b0
  52 53 53 49 31  3f 80 00 00  00 00 00 00  ff f9 22 30  0d 05  03 2b  1f f1 1d fe 1e a0 00 00 00 00`);

/** Its end without the checksum. */
export const recordedTail = bytesOf(`
  25 0c 24 88 25 cf 24 f5 00 00 00 00 00 00 00 00 00 01 07 b2 01 01 00 32 0e 00 02 13 40 00 00`);

export const recordedTextHead =
  'sSN LMDscandata 1 1 119FD06 0 0 AFB1 AFB5 B3A805E3 B3A81E29 0 0 8 0 0 5DC A2 0 2 ' +
  'DIST1 3F800000 00000000 FFF92230 D05 32B 272 291 268 2 2 ';

export const recordedTextMiddle = ' B6 B2 9A B0 RSSI1 3F800000 00000000 FFF92230 D05 32B 1FF1 1DFE 1EA0 0 0 ';

export const recordedTextTail = ' 250C 2488 25CF 24F5 0 0 0 0 1 7B2 1 1 0 32 E 21340 0';

const ofBeams = { offset: 0, startAngle: 910_000, angularStep: 5000 } as const;

/**
 * A published response of a device of this type (release 2.1.0) to a request, in profile 1 and long range mode, with three
 * beams left by an angle range.
 */
export const published: LmdScan = {
  version: 1,
  deviceNumber: 1,
  serialNumber: 23_360_024,
  status: [0, 0],
  telegramCounter: 0x5989,
  scanCounter: 0x6997,
  scanTime: 0xbb9dc502,
  transmitTime: 0xbb9e82cc,
  inputs: [0, 0],
  outputs: [0, 0],
  layerAngle: 0,
  scanFrequency: 1500,
  measurementFrequency: 0,
  encoders: [],
  channels16: [{ ...ofBeams, content: 'DIST1', scale: 2, data: Uint16Array.of(0, 0x3adb, 0x3ada) }],
  channels8: [{ ...ofBeams, content: 'RSSI1', scale: 1, data: Uint8Array.of(0, 53, 57) }],
};

/** The complete frame: 119 bytes of payload, and their XOR. */
export const publishedFrame = bytesOf(`
  02 02 02 02 00 00 00 77
  73 52 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 20
  00 01 00 01 01 64 72 18 00 00 59 89 69 97 bb 9d c5 02 bb 9e 82 cc
  00 00 00 00 00 00 00 00 05 dc 00 00 00 00 00 00
  00 01 44 49 53 54 31 40 00 00 00 00 00 00 00 00 0d e2 b0 13 88 00 03 00 00 3a db 3a da
  00 01 52 53 53 49 31 3f 80 00 00 00 00 00 00 00 0d e2 b0 13 88 00 03 00 35 39
  00 00 00 00 00 00 00 00 00 00
  bb`);
