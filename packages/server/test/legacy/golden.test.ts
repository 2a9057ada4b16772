import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { hex, LegacyWire } from './legacy-wire.js';

const service = [
  'sMN SetAccessMode 4 81BE23AA',
  '02 02 02 02 00 00 00 17 73 4d 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 04 81 be 23 aa 87',
  '02 02 02 02 00 00 00 13 73 41 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 01 38',
] as const;
const run = [
  'sMN Run',
  '02 02 02 02 00 00 00 07 73 4d 4e 20 52 75 6e 19',
  '02 02 02 02 00 00 00 09 73 41 4e 20 52 75 6e 20 01 34',
] as const;

/** Request, its frame, and the frame of the response. */
const telegrams: readonly (readonly [string, string, string])[] = [
  service,
  run,
  [
    'sRN SCdevicestate',
    '02 02 02 02 00 00 00 11 73 52 4e 20 53 43 64 65 76 69 63 65 73 74 61 74 65 30',
    '02 02 02 02 00 00 00 13 73 52 41 20 53 43 64 65 76 69 63 65 73 74 61 74 65 20 01 1e',
  ],
  service,
  [
    'sWN FREchoFilter 2',
    '02 02 02 02 00 00 00 12 73 57 4e 20 46 52 45 63 68 6f 46 69 6c 74 65 72 20 02 7d',
    '02 02 02 02 00 00 00 11 73 57 41 20 46 52 45 63 68 6f 46 69 6c 74 65 72 20 70',
  ],
  [
    'sRN FREchoFilter',
    '02 02 02 02 00 00 00 10 73 52 4e 20 46 52 45 63 68 6f 46 69 6c 74 65 72 5a',
    '02 02 02 02 00 00 00 12 73 52 41 20 46 52 45 63 68 6f 46 69 6c 74 65 72 20 02 77',
  ],
  [
    'sMN LMCstartmeas',
    '02 02 02 02 00 00 00 10 73 4d 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 68',
    '02 02 02 02 00 00 00 12 73 41 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 20 00 44',
  ],
  [
    'sWN ScanDataEnable 1',
    '02 02 02 02 00 00 00 14 73 57 4e 20 53 63 61 6e 44 61 74 61 45 6e 61 62 6c 65 20 01 45',
    '02 02 02 02 00 00 00 13 73 57 41 20 53 63 61 6e 44 61 74 61 45 6e 61 62 6c 65 20 4b',
  ],
  [
    'sWN ScanDataFormat 2',
    '02 02 02 02 00 00 00 14 73 57 4e 20 53 63 61 6e 44 61 74 61 46 6f 72 6d 61 74 20 02 44',
    '02 02 02 02 00 00 00 13 73 57 41 20 53 63 61 6e 44 61 74 61 46 6f 72 6d 61 74 20 49',
  ],
  [
    'sWN ScanDataEthSettings 1 127.0.0.1 2115',
    '02 02 02 02 00 00 00 1f 73 57 4e 20 53 63 61 6e 44 61 74 61 45 74 68 53 65 74 74 69 6e 67 73 20 01 7f 00 00 01 08 43 2d',
    '02 02 02 02 00 00 00 18 73 57 41 20 53 63 61 6e 44 61 74 61 45 74 68 53 65 74 74 69 6e 67 73 20 16',
  ],
  [
    'sWN LFPangleRangeFilter, off, 138 degrees to both sides',
    '02 02 02 02 00 00 00 2b 73 57 4e 20 4c 46 50 61 6e 67 6c 65 52 61 6e 67 65 46 69 6c 74 65 72 20 00 ff ea f1 60 00 15 0e a0 ff f2 44 60 00 0d bb a0 00 01 2f',
    '02 02 02 02 00 00 00 18 73 57 41 20 4c 46 50 61 6e 67 6c 65 52 61 6e 67 65 46 69 6c 74 65 72 20 21',
  ],
  [
    'sRN LFPangleRangeFilter',
    '02 02 02 02 00 00 00 17 73 52 4e 20 4c 46 50 61 6e 67 6c 65 52 61 6e 67 65 46 69 6c 74 65 72 0b',
    '02 02 02 02 00 00 00 2b 73 52 41 20 4c 46 50 61 6e 67 6c 65 52 61 6e 67 65 46 69 6c 74 65 72 20 00 ff ea f1 60 00 15 0e a0 ff f2 44 60 00 0d bb a0 00 01 25',
  ],
  [
    'sMN mEEwriteall',
    '02 02 02 02 00 00 00 0f 73 4d 4e 20 6d 45 45 77 72 69 74 65 61 6c 6c 21',
    '02 02 02 02 00 00 00 11 73 41 4e 20 6d 45 45 77 72 69 74 65 61 6c 6c 20 01 0c',
  ],
  [
    'sWN EIHstCola 1',
    '02 02 02 02 00 00 00 0f 73 57 4e 20 45 49 48 73 74 43 6f 6c 61 20 01 09',
    '02 02 02 02 00 00 00 0e 73 57 41 20 45 49 48 73 74 43 6f 6c 61 20 07',
  ],
  [
    'sMN LMCstopmeas',
    '02 02 02 02 00 00 00 0f 73 4d 4e 20 4c 4d 43 73 74 6f 70 6d 65 61 73 10',
    '02 02 02 02 00 00 00 11 73 41 4e 20 4c 4d 43 73 74 6f 70 6d 65 61 73 20 00 3c',
  ],
  run,
  [
    'sRN of what nobody has',
    '02 02 02 02 00 00 00 05 73 52 4e 20 78 37',
    '02 02 02 02 00 00 00 05 73 46 41 00 03 77',
  ],
  [
    'sMN SetAccessMode 3 with a wrong hash',
    '02 02 02 02 00 00 00 17 73 4d 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 03 f4 72 47 45 b2',
    '02 02 02 02 00 00 00 13 73 41 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 00 39',
  ],
  [
    'sEN LFErec 1',
    '02 02 02 02 00 00 00 0c 73 45 4e 20 4c 46 45 72 65 63 20 01 42',
    '02 02 02 02 00 00 00 0c 73 45 41 20 4c 46 45 72 65 63 20 01 4d',
  ],
  [
    'sEN LIDoutputstate 1',
    '02 02 02 02 00 00 00 14 73 45 4e 20 4c 49 44 6f 75 74 70 75 74 73 74 61 74 65 20 01 50',
    '02 02 02 02 00 00 00 14 73 45 41 20 4c 49 44 6f 75 74 70 75 74 73 74 61 74 65 20 01 5f',
  ],
  [
    'sEN LIDinputstate 1',
    '02 02 02 02 00 00 00 13 73 45 4e 20 4c 49 44 69 6e 70 75 74 73 74 61 74 65 20 01 39',
    '02 02 02 02 00 00 00 13 73 45 41 20 4c 49 44 69 6e 70 75 74 73 74 61 74 65 20 01 36',
  ],
  [
    'sRN field000',
    '02 02 02 02 00 00 00 0c 73 52 4e 20 66 69 65 6c 64 30 30 30 1d',
    '02 02 02 02 00 00 00 0e 73 52 41 20 66 69 65 6c 64 30 30 30 20 00 32',
  ],
  [
    'sEN LMDscandata 1',
    '02 02 02 02 00 00 00 11 73 45 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 01 33',
    '02 02 02 02 00 00 00 11 73 45 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 01 3c',
  ],
  [
    'sEN LMDscandata 0',
    '02 02 02 02 00 00 00 11 73 45 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 00 32',
    '02 02 02 02 00 00 00 11 73 45 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 00 3d',
  ],
];

test.each([
  ['an older one', '1.5.0', 'A'],
  ['an older one', '1.5.0', 'B'],
  ['the newest', '2.4.4', 'A'],
  ['the newest', '2.4.4', 'B'],
] as const)(
  'the binary frames of real devices, byte by byte: %s %s over interface %s',
  async (_, release, letter) => {
    const scanner = await TestScanner.start({ release });
    const wire = await LegacyWire.open(letter === 'A' ? scanner.portA : scanner.portB);
    for (const [words, request, answer] of telegrams) {
      wire.write(hex(request));
      const expected = hex(answer);
      expect((await wire.take(expected.length)).toString('hex'), words).toBe(expected.toString('hex'));
    }
    expect(wire.received.length).toBe(0);
  },
);

test('level 3 can log in with its factory password below release 2.1.0, and not in later ones', async () => {
  const request = hex(
    '02 02 02 02 00 00 00 17 73 4d 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 03 f4 72 47 44 b3',
  );
  for (const [release, last] of [
    ['1.5.0', '01 38'],
    ['2.1.0', '00 39'],
  ] as const) {
    const scanner = await TestScanner.start({ release });
    const wire = await LegacyWire.open(scanner.portB);
    wire.write(request);
    const expected = hex(
      `02 02 02 02 00 00 00 13 73 41 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 ${last}`,
    );
    expect(await wire.take(expected.length), release).toEqual(expected);
  }
});

test('text frames, byte by byte', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  for (const [request, answer] of [
    ['02 73 4d 4e 20 52 75 6e 03', '02 73 41 4e 20 52 75 6e 20 31 03'],
    ['02 73 52 4e 20 78 03', '02 73 46 41 20 33 03'],
  ] as const) {
    wire.write(hex(request));
    expect(await wire.take(hex(answer).length)).toEqual(hex(answer));
  }
});
