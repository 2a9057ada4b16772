import type { EncoderTelegram, ImuTelegram, ScanTelegram } from '@azimuth/telegrams';
import { bytesOf, withCrc } from './hex.js';

/** Two beams of two echoes with all fields. The bytes follow from the layout, written by hand. */
export const scan: ScanTelegram = {
  sequence: 7,
  transmitTime: 0x1_0000_0002,
  version: 4,
  modules: [
    {
      segmentIndex: 3,
      frameNumber: 258,
      sender: 0x01020304,
      rows: 1,
      columns: 2,
      echoes: 2,
      firstBeamTime: [1000],
      lastBeamTime: [0x2_0000_0001],
      elevation: [0],
      firstAzimuth: [-1],
      lastAzimuth: [1.5],
      scale: 2,
      availability: 1,
      distance: Float32Array.of(2, 131070, 1024, 0),
      rssi: Uint16Array.of(1, 65535, 513, 0),
      properties: Uint8Array.of(0x21, 0),
      azimuth: Float32Array.of(-1, 1.5),
    },
  ],
};

const module4 = `
  03000000 00000000  # segment 3
  02010000 00000000  # frame 258
  04030201           # sender
  01000000 02000000 02000000  # rows, columns, echoes
  e8030000 00000000  # first beam: 1000 µs
  01000000 02000000  # last beam
  00000000           # elevation
  000080bf           # -1 rad
  0000c03f           # 1.5 rad
`;

const content = `
  00000000           # no next module
  01 03 03 00        # availability; distance and strength; properties and azimuth
`;

export const scanBytes = withCrc(
  bytesOf(`
    02020202 01000000  # start, scan
    07000000 00000000  # number
    02000000 01000000  # sent
    04000000           # version
    5e000000           # module: 72 + 2 * (2 * 4 + 3) = 94
    ${module4}
    00000040           # scale 2
    ${content}
    0100 0100 ffff ffff 21 a12b  # 1 and 65535 counts, reflector and blooming 0; -5215 + 16384 = 11169
    0002 0102 0000 0000 00 8f5e  # 512 counts; 7822.5 + 16384 = 24206.5, rounded up
  `),
);

/** The beams in version 3, with distances only, which are in mm there. */
export const scan3: ScanTelegram = {
  sequence: 7,
  transmitTime: 0x1_0000_0002,
  version: 3,
  modules: scan.modules.map(({ rssi, properties, azimuth, ...module }) => ({
    ...module,
    scale: 1,
    distance: Float32Array.of(2, 65535, 1024, 0),
  })),
};

export const scan3Bytes = withCrc(
  bytesOf(`
    02020202 01000000
    07000000 00000000
    02000000 01000000
    03000000           # version
    4c000000           # module: 68 + 2 * 4 = 76
    ${module4}
    00000000
    01 01 00 00        # distance, and nothing else
    0200 ffff
    0004 0000
  `),
);

/** The beams in version 3 with all fields. The azimuth of a beam is before its properties. */
export const fullScan3: ScanTelegram = {
  ...scan3,
  modules: scan.modules.map((module) => ({
    ...module,
    scale: 1,
    distance: Float32Array.of(2, 65535, 1024, 0),
  })),
};

export const fullScan3Bytes = withCrc(
  bytesOf(`
    02020202 01000000
    07000000 00000000
    02000000 01000000
    03000000           # version
    5a000000           # module: 68 + 2 * (2 * 4 + 3) = 90
    ${module4}
    ${content}
    0200 0100 ffff ffff a12b 21
    0004 0102 0000 0000 8f5e 00
  `),
);

export const imu: ImuTelegram = {
  acceleration: [1, -2, 9.5],
  angularVelocity: [0, 0.5, -0.25],
  orientation: [1, 0, 0, -1],
  time: 0x3_0000_0004,
};

export const imuBytes = withCrc(
  bytesOf(`
    02020202 02000000 01000000
    0000803f 000000c0 00001841
    00000000 0000003f 000080be
    0000803f 00000000 00000000 000080bf
    04000000 03000000
  `),
);

export const encoder: EncoderTelegram = {
  sequence: 9,
  transmitTime: 1_000_000,
  sender: 42,
  frameNumber: 5,
  ticks: 0xfffffffe,
  references: [1, 2],
  speed: -1000,
  time: 0x1_0000_0000,
  referenceTimes: [3, 4],
};

export const encoderBytes = withCrc(
  bytesOf(`
    02020202 04000000
    09000000 00000000
    40420f00 00000000
    01000000 34000000
    2a000000
    05000000 00000000
    feffffff 01000000 02000000
    00007ac4           # -1000
    00000000 01000000
    03000000 00000000
    04000000 00000000
  `),
);
