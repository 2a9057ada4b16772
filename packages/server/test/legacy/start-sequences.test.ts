import { configuration } from '@azimuth/test-support/port-configuration';
import { methodOf } from '@azimuth/test-support/test-device';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { hex, LegacyWire } from './legacy-wire.js';

/** Requests of a driver in text at its start, and the expected responses. */
const inText: readonly (readonly [string, string])[] = [
  ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'],
  ['sWN FREchoFilter 2', 'sWA FREchoFilter'],
  ['sMN Run', 'sAN Run 1'],
  ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'],
  ['sRN FREchoFilter', 'sRA FREchoFilter 2'],
  ['sRN LFPangleRangeFilter', 'sRA LFPangleRangeFilter 0 FFF24460 DBBA0 FFF24460 DBBA0 1'],
  ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'],
  ['sWN ScanDataEthSettings 1 +127 +0 +0 +1 +2115', 'sWA ScanDataEthSettings'],
  ['sWN ScanDataFormat 2', 'sWA ScanDataFormat'],
  ['sWN PerformanceProfileNumber A', 'sWA PerformanceProfileNumber'],
  ['sWN ImuDataEthSettings 1 +127 +0 +0 +1 +7503', 'sWA ImuDataEthSettings'],
  ['sMN Run', 'sAN Run 1'],
  ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'],
  ['sWN ScanDataEnable 1', 'sWA ScanDataEnable'],
  ['sWN ImuDataEnable 1', 'sWA ImuDataEnable'],
  ['sMN Run', 'sAN Run 1'],
  ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'],
  ['sMN LMCstartmeas', 'sAN LMCstartmeas 0'],
  ['sWN LFPangleRangeFilter 1 FFF24460 000DBBA0 FFF24460 000DBBA0 1', 'sWA LFPangleRangeFilter'],
  ['sWN LFPintervalFilter 1 2', 'sWA LFPintervalFilter'],
  ['sRN SCdevicestate', 'sRA SCdevicestate 1'],
  ['sRN DeviceIdent', 'sRA DeviceIdent 8 picoScan 8 2.4.4.0R'],
  ['sRN SerialNumber', 'sRA SerialNumber 8 12345678'],
  ['sRN LocationName', 'sRA LocationName B not defined'],
  ['sRN ODoprh', 'sRA ODoprh 0'],
  ['sMN mEEwriteall', 'sAN mEEwriteall 1'],
  ['sEN LIDoutputstate 1', 'sEA LIDoutputstate 1'],
  ['sEN LIDoutputstate 0', 'sEA LIDoutputstate 0'],
  ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'],
  ['sWN ScanDataEnable 0', 'sWA ScanDataEnable'],
  ['sWN ImuDataEnable 0', 'sWA ImuDataEnable'],
  ['sMN Run', 'sAN Run 1'],
];

test('the start sequence of a driver works in text, over both interfaces', async () => {
  const scanner = await TestScanner.start();
  for (const port of [scanner.portA, scanner.portB]) {
    const wire = await LegacyWire.open(port);
    for (const [request, answer] of inText) {
      if (port === scanner.portB && request === 'sRN LFPangleRangeFilter') continue;
      expect(await wire.ask(request)).toBe(answer);
    }
  }
});

/** A response that satisfies the driver. */
const marker = '02 02 02 02 ';
/** Requests of a driver of an older device type in binary at its start, and the responses. */
const inBinary: readonly (readonly [string, string])[] = [
  [
    '00 00 00 11 73 52 4e 20 53 43 64 65 76 69 63 65 73 74 61 74 65 30',
    '00 00 00 13 73 52 41 20 53 43 64 65 76 69 63 65 73 74 61 74 65 20 01 1e',
  ],
  [
    '00 00 00 17 73 4d 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 03 f4 72 47 44 b3',
    '00 00 00 13 73 41 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 01 38',
  ],
  [
    '00 00 00 0f 73 57 4e 20 45 49 48 73 74 43 6f 6c 61 20 01 09',
    '00 00 00 0e 73 57 41 20 45 49 48 73 74 43 6f 6c 61 20 07',
  ],
  [
    '00 00 00 0a 73 52 4e 20 4f 44 6f 70 72 68 41',
    '00 00 00 0f 73 52 41 20 4f 44 6f 70 72 68 20 00 00 00 00 6e',
  ],
  [
    '00 00 00 0a 73 52 4e 20 4f 44 70 77 72 63 52',
    '00 00 00 0f 73 52 41 20 4f 44 70 77 72 63 20 00 00 00 01 7c',
  ],
  [
    '00 00 00 10 73 52 4e 20 4c 6f 63 61 74 69 6f 6e 4e 61 6d 65 55',
    '00 00 00 1e 73 52 41 20 4c 6f 63 61 74 69 6f 6e 4e 61 6d 65 20 00 0b 6e 6f 74 20 64 65 66 69 6e 65 64 45',
  ],
  // The complete view: -48 to 228 degrees, a third of a degree apart.
  [
    '00 00 00 12 73 52 4e 20 4c 4d 50 6f 75 74 70 75 74 52 61 6e 67 65 5e',
    '00 00 00 21 73 52 41 20 4c 4d 50 6f 75 74 70 75 74 52 61 6e 67 65 20 00 01 00 00 0d 05 ff f8 ad 00 00 22 ca 40 7a',
  ],
  // -45 to 225 degrees are requested, and are then in force.
  [
    '00 00 00 21 73 57 4e 20 4c 4d 50 6f 75 74 70 75 74 52 61 6e 67 65 20 00 01 00 00 0d 05 ff f9 22 30 00 22 55 10 01',
    '00 00 00 13 73 57 41 20 4c 4d 50 6f 75 74 70 75 74 52 61 6e 67 65 20 74',
  ],
  [
    '00 00 00 12 73 52 4e 20 4c 4d 50 6f 75 74 70 75 74 52 61 6e 67 65 5e',
    '00 00 00 21 73 52 41 20 4c 4d 50 6f 75 74 70 75 74 52 61 6e 67 65 20 00 01 00 00 0d 05 ff f9 22 30 00 22 55 10 0b',
  ],
  [
    '00 00 00 0c 73 52 4e 20 66 69 65 6c 64 30 30 30 1d',
    '00 00 00 0e 73 52 41 20 66 69 65 6c 64 30 30 30 20 00 32',
  ],
  [
    '00 00 00 0c 73 52 4e 20 66 69 65 6c 64 30 34 37 1e',
    '00 00 00 0e 73 52 41 20 66 69 65 6c 64 30 34 37 20 00 31',
  ],
  [
    '00 00 00 20 73 57 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 63 66 67 20 01 00 01 01 00 00 00 00 00 00 01 00 01 43',
    '00 00 00 13 73 57 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 63 66 67 20 4d',
  ],
  [
    '00 00 00 12 73 52 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 63 66 67 67',
    '00 00 00 20 73 52 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 63 66 67 20 00 00 01 00 00 00 00 00 00 00 01 00 01 49',
  ],
  [
    '00 00 00 0c 73 45 4e 20 4c 46 45 72 65 63 20 01 42',
    '00 00 00 0c 73 45 41 20 4c 46 45 72 65 63 20 01 4d',
  ],
  [
    '00 00 00 14 73 45 4e 20 4c 49 44 6f 75 74 70 75 74 73 74 61 74 65 20 01 50',
    '00 00 00 14 73 45 41 20 4c 49 44 6f 75 74 70 75 74 73 74 61 74 65 20 01 5f',
  ],
  [
    '00 00 00 13 73 45 4e 20 4c 49 44 69 6e 70 75 74 73 74 61 74 65 20 01 39',
    '00 00 00 13 73 45 41 20 4c 49 44 69 6e 70 75 74 73 74 61 74 65 20 01 36',
  ],
  // No field is configured: three entries, with the result 0, at the moment 0.
  [
    '00 00 00 0a 73 52 4e 20 4c 46 45 72 65 63 74',
    [
      '00 00 00 6d 73 52 41 20 4c 46 45 72 65 63 20 00 03',
      '00 01 01 00 00 00 00 3f 80 00 00 00 00 00 00 00 00 0d 05 ff f9 22 30 00 00 00 00 00 00 00 00 00',
      '00 01 02 00 00 00 00 3f 80 00 00 00 00 00 00 00 00 0d 05 ff f9 22 30 00 00 00 00 00 00 00 00 00',
      '00 01 03 00 00 00 00 3f 80 00 00 00 00 00 00 00 00 0d 05 ff f9 22 30 00 00 00 00 00 00 00 00 00',
      'fa',
    ].join(' '),
  ],
  [
    '00 00 00 10 73 4d 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 68',
    '00 00 00 12 73 41 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 20 00 44',
  ],
  ['00 00 00 07 73 4d 4e 20 52 75 6e 19', '00 00 00 09 73 41 4e 20 52 75 6e 20 01 34'],
  [
    '00 00 00 11 73 45 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 01 33',
    '00 00 00 11 73 45 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 01 3c',
  ],
  [
    '00 00 00 11 73 45 4e 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 00 32',
    '00 00 00 11 73 45 41 20 4c 4d 44 73 63 61 6e 64 61 74 61 20 00 3d',
  ],
  [
    '00 00 00 17 73 4d 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 03 f4 72 47 44 b3',
    '00 00 00 13 73 41 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 01 38',
  ],
  [
    '00 00 00 0f 73 4d 4e 20 4c 4d 43 73 74 6f 70 6d 65 61 73 10',
    '00 00 00 11 73 41 4e 20 4c 4d 43 73 74 6f 70 6d 65 61 73 20 00 3c',
  ],
];

test('the start sequence of a driver for an older device type works in binary, byte by byte', async () => {
  // The ports are inputs only, because an output that follows DRDY changes when measuring stops, and the driver follows
  // outputs.
  const scanner = await TestScanner.start({ initialParameters: { PortConfiguration: configuration({}) } });
  const level = { userLevel: 3, isEnabled: true };
  await scanner.service.device.call(methodOf('EnableLegacyUserLevel'), level, { level: 'Service' });
  const wire = await LegacyWire.open(scanner.portB);
  for (const [request, answer] of inBinary) {
    wire.write(hex(marker + request));
    const expected = hex(marker + answer);
    expect((await wire.take(expected.length)).toString('hex')).toBe(expected.toString('hex'));
  }
  expect(wire.received.length).toBe(0);
});

test('the same driver gets an answer to every request if its level is disabled', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portB);
  for (const [request] of inBinary) {
    wire.write(hex(marker + request));
    expect((await wire.binary()).toString('latin1')).toMatch(/^s(RA|WA|AN|EA|FA)/);
  }
});
