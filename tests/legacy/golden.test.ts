import { binaryFrame, type Dialect, hex, textFrame } from '@azimuth/test-support/legacy/frames';
import { dialects, portsOf } from '@azimuth/test-support/legacy/scanner';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import { describe, expect, test } from 'vitest';

/** A binary frame by its hex digits, without the four bytes 02 at its front. */
const b = (digits: string) => hex(`02 02 02 02 ${digits}`);

const loginAsService = b(
  '00 00 00 17 73 4d 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 04 81 be 23 aa 87',
);
const loginAsClient = b(
  '00 00 00 17 73 4d 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 03 f4 72 47 44 b3',
);
const accepted = b('00 00 00 13 73 41 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 01 38');
const refused = b('00 00 00 13 73 41 4e 20 53 65 74 41 63 63 65 73 73 4d 6f 64 65 20 00 39');

/** What a driver says and hears over the binary interface, one after the other, byte for byte. */
const binaryTalk: readonly (readonly [string, Buffer, Buffer])[] = [
  ['a login at level 4', loginAsService, accepted],
  ['Run', b('00 00 00 07 73 4d 4e 20 52 75 6e 19'), b('00 00 00 09 73 41 4e 20 52 75 6e 20 01 34')],
  [
    'the device state',
    b('00 00 00 11 73 52 4e 20 53 43 64 65 76 69 63 65 73 74 61 74 65 30'),
    b('00 00 00 13 73 52 41 20 53 43 64 65 76 69 63 65 73 74 61 74 65 20 01 1e'),
  ],
  ['the login again', loginAsService, accepted],
  [
    'the echo filter set',
    b('00 00 00 12 73 57 4e 20 46 52 45 63 68 6f 46 69 6c 74 65 72 20 02 7d'),
    b('00 00 00 11 73 57 41 20 46 52 45 63 68 6f 46 69 6c 74 65 72 20 70'),
  ],
  [
    'the echo filter read',
    b('00 00 00 10 73 52 4e 20 46 52 45 63 68 6f 46 69 6c 74 65 72 5a'),
    b('00 00 00 12 73 52 41 20 46 52 45 63 68 6f 46 69 6c 74 65 72 20 02 77'),
  ],
  [
    'the measurement started',
    b('00 00 00 10 73 4d 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 68'),
    b('00 00 00 12 73 41 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 20 00 44'),
  ],
  [
    'scan data switched on',
    b('00 00 00 14 73 57 4e 20 53 63 61 6e 44 61 74 61 45 6e 61 62 6c 65 20 01 45'),
    b('00 00 00 13 73 57 41 20 53 63 61 6e 44 61 74 61 45 6e 61 62 6c 65 20 4b'),
  ],
  [
    'the format of scan data',
    b('00 00 00 14 73 57 4e 20 53 63 61 6e 44 61 74 61 46 6f 72 6d 61 74 20 02 44'),
    b('00 00 00 13 73 57 41 20 53 63 61 6e 44 61 74 61 46 6f 72 6d 61 74 20 49'),
  ],
  [
    'the destination of scan data',
    b(
      '00 00 00 1f 73 57 4e 20 53 63 61 6e 44 61 74 61 45 74 68 53 65 74 74 69 6e 67 73 20 01 7f 00 00 01 08 43 2d',
    ),
    binaryFrame('sWA ScanDataEthSettings '),
  ],
  [
    'a wide angle range set',
    binaryFrame(
      Buffer.concat([
        Buffer.from('sWN LFPangleRangeFilter '),
        hex('00 ff ea f1 60 00 15 0e a0 ff f2 44 60 00 0d bb a0 00 01'),
      ]),
    ),
    binaryFrame('sWA LFPangleRangeFilter '),
  ],
  [
    'the angle range read',
    binaryFrame('sRN LFPangleRangeFilter'),
    b(
      `00 00 00 2b 73 52 41 20 4c 46 50 61 6e 67 6c 65 52 61 6e 67 65 46 69 6c 74 65 72 20
       00 ff ea f1 60 00 15 0e a0 ff f2 44 60 00 0d bb a0 00 01 25`,
    ),
  ],
  [
    'everything saved',
    b('00 00 00 0f 73 4d 4e 20 6d 45 45 77 72 69 74 65 61 6c 6c 21'),
    b('00 00 00 11 73 41 4e 20 6d 45 45 77 72 69 74 65 61 6c 6c 20 01 0c'),
  ],
  [
    'the factory settings of the contamination indication',
    binaryFrame('sRN ContaminationConfig'),
    binaryFrame(
      Buffer.concat([Buffer.from('sRA ContaminationConfig '), hex('00000300000007010101010101010101')]),
    ),
  ],
  ['an unknown variable', binaryFrame('sRN nothing'), b('00 00 00 05 73 46 41 00 03 77')],
  [
    'the telegrams switched to binary',
    b('00 00 00 0f 73 57 4e 20 45 49 48 73 74 43 6f 6c 61 20 01 09'),
    b('00 00 00 0e 73 57 41 20 45 49 48 73 74 43 6f 6c 61 20 07'),
  ],
  [
    'the measurement stopped',
    binaryFrame('sMN LMCstopmeas'),
    b('00 00 00 11 73 41 4e 20 4c 4d 43 73 74 6f 70 6d 65 61 73 20 00 3c'),
  ],
  [
    'the measurement started again',
    b('00 00 00 10 73 4d 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 68'),
    b('00 00 00 12 73 41 4e 20 4c 4d 43 73 74 61 72 74 6d 65 61 73 20 00 44'),
  ],
  [
    'scan data switched off',
    binaryFrame(Buffer.from('sWN ScanDataEnable \0')),
    b('00 00 00 13 73 57 41 20 53 63 61 6e 44 61 74 61 45 6e 61 62 6c 65 20 4b'),
  ],
];

/** The same over the text interface, frames left out. */
const textTalk: readonly (readonly [string, string])[] = [
  ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'],
  ['sWN FREchoFilter 2', 'sWA FREchoFilter'],
  ['sMN Run', 'sAN Run 1'],
  ['sMN SetAccessMode 04 81be23aa', 'sAN SetAccessMode 1'],
  ['sRN FREchoFilter', 'sRA FREchoFilter 2'],
  ['sRN FREchoFilter ', 'sRA FREchoFilter 2'],
  ['sWN LFPangleRangeFilter 0 FFEAF160 150EA0 FFF24460 DBBA0 1', 'sWA LFPangleRangeFilter'],
  ['sRN LFPangleRangeFilter', 'sRA LFPangleRangeFilter 0 FFEAF160 150EA0 FFF24460 DBBA0 1'],
  ['sWN LFPangleRangeFilter 1 FFF24460 000DBBA0 FFF24460 000DBBA0 1', 'sWA LFPangleRangeFilter'],
  ['sRN LFPangleRangeFilter', 'sRA LFPangleRangeFilter 1 FFF24460 DBBA0 FFF24460 DBBA0 1'],
  ['sWN LFPangleRangeFilter 0 -1380000 +1380000 -900000 +900000 +1', 'sWA LFPangleRangeFilter'],
  ['sRN LFPangleRangeFilter', 'sRA LFPangleRangeFilter 0 FFEAF160 150EA0 FFF24460 DBBA0 1'],
  ['sWN LFPintervalFilter 1 2', 'sWA LFPintervalFilter'],
  ['sRN LFPintervalFilter', 'sRA LFPintervalFilter 1 2'],
  ['sWN ScanDataEthSettings 1 +127 +0 +0 +1 +2115', 'sWA ScanDataEthSettings'],
  ['sRN ScanDataEthSettings', 'sRA ScanDataEthSettings 1 7F 0 0 1 843'],
  ['sWN PerformanceProfileNumber A', 'sWA PerformanceProfileNumber'],
  ['sRN PerformanceProfileNumber', 'sRA PerformanceProfileNumber A'],
  ['sWN PerformanceProfileNumber 2', 'sWA PerformanceProfileNumber'],
  ['sRN SCdevicestate', 'sRA SCdevicestate 1'],
  ['sRN ContaminationResult', 'sRA ContaminationResult 0 0'],
  ['sRN ContaminationConfig', 'sRA ContaminationConfig 0 3 0 0 7 1 1 1 1 1 1 1 1 1'],
  ['sRN ContaminationData', 'sRA ContaminationData 7 0 0 0 0 0 0 0'],
  ['sWN ContaminationConfig 2 3C 2 6 7 1 1 1 1 1 1 1 1 1', 'sWA ContaminationConfig'],
  ['sRN ContaminationConfig', 'sRA ContaminationConfig 2 3C 2 6 7 1 1 1 1 1 1 1 1 1'],
  ['sRN ContaminationData', 'sRA ContaminationData 7 0 1 1 1 1 1 0'],
  ['sWN treatBlockedSectorsAsErrorSectors 1', 'sWA treatBlockedSectorsAsErrorSectors'],
  ['sRN treatBlockedSectorsAsErrorSectors', 'sRA treatBlockedSectorsAsErrorSectors 1'],
  ['sWN ContaminationConfig 0 3 0 0 7 1 1 1 1 1 1 1 1 1', 'sWA ContaminationConfig'],
  ['sRN LocationName', 'sRA LocationName B not defined'],
  ['sRN SerialNumber', 'sRA SerialNumber 9 123456789'],
  ['sMN LMCstartmeas', 'sAN LMCstartmeas 0'],
  ['sMN LMCstopmeas', 'sAN LMCstopmeas 0'],
  ['sMN LMCstartmeas', 'sAN LMCstartmeas 0'],
  ['sMN mEEwriteall', 'sAN mEEwriteall 1'],
  ['sEN DeviceStatus 1', 'sEA DeviceStatus 1'],
  ['sEN DeviceStatus 0', 'sEA DeviceStatus 0'],
  ['sRN nothing', 'sFA 3'],
  ['sMN Run', 'sAN Run 1'],
];

const scanner = sharedScanner(['--serial', '123456789']);

describe.each(dialects)('on port %s', (port: Dialect) => {
  test('the binary telegrams of a driver get the answers of a device, byte for byte', async () => {
    const client = await LegacyClient.forTest(portsOf(scanner())[port], 'B');
    for (const [what, request, answer] of binaryTalk) {
      const { dialect, payload } = await client.exchange(request);
      expect(dialect, what).toBe('B');
      expect(binaryFrame(payload).toString('hex'), what).toBe(answer.toString('hex'));
    }
  });

  test('so do its text telegrams', async () => {
    const client = await LegacyClient.forTest(portsOf(scanner())[port], 'A');
    for (const [request, answer] of textTalk) {
      const { dialect, payload } = await client.request(request);
      expect(dialect, request).toBe('A');
      // LMCstartmeas is published without a value, and with one.
      const said = payload.toString('latin1');
      const allowed = answer.includes('LMCst') ? [answer, answer.replace(/ 0$/, '')] : [answer];
      expect(allowed, request).toContain(said);
    }
  });

  test('both framings may take turns on one connection: each telegram is answered in its own', async () => {
    const client = await LegacyClient.forTest(portsOf(scanner())[port], 'B');
    client.raw(
      Buffer.concat([loginAsService, textFrame('sRN SCdevicestate'), binaryFrame('sRN SCdevicestate')]),
    );
    client.raw(textFrame('sMN Run'));
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await client.answer());
    expect(answers.map(({ dialect, payload }) => [dialect, payload.toString('latin1')])).toEqual([
      ['B', 'sAN SetAccessMode \x01'],
      ['A', 'sRA SCdevicestate 1'],
      ['B', 'sRA SCdevicestate \x01'],
      ['A', 'sAN Run 1'],
    ]);
  });
});

test('a level is one of the session, whichever framing it was reached in', async () => {
  const client = await LegacyClient.forTest(portsOf(scanner()).A, 'A');
  await client.exchange(loginAsService);
  expect((await client.request('sWN FREchoFilter 1')).payload.toString()).toBe('sWA FREchoFilter');
});

describe('a login at level 3', () => {
  test('is refused by a scanner as it is delivered today, in both framings', async () => {
    const { A, B } = portsOf(scanner());
    const binary = await LegacyClient.forTest(B, 'B');
    expect(binaryFrame((await binary.exchange(loginAsClient)).payload)).toEqual(refused);
    const text = await LegacyClient.forTest(A, 'A');
    const answer = await text.request('sMN SetAccessMode 3 F4724744');
    expect(answer.payload.toString()).toBe('sAN SetAccessMode 0');
    await scanner().advance(31_000);
  });

  test.each(['1.4.0', '1.5.0'])('works as delivered with release %s', async (release) => {
    const old = await new ScannerFolder().start(['--firmware', release]);
    const { B } = portsOf(old);
    const client = await LegacyClient.forTest(B, 'B');
    expect(binaryFrame((await client.exchange(loginAsClient)).payload)).toEqual(accepted);
    const write = b('00 00 00 12 73 57 4e 20 46 52 45 63 68 6f 46 69 6c 74 65 72 20 02 7d');
    expect((await client.exchange(write)).command).toBe('sWA');
  });
});

test('telegrams arrive in pieces and glued together, and are answered in their order', async () => {
  const client = await LegacyClient.forTest(portsOf(scanner()).A, 'A');
  const requests = ['sRN SCdevicestate', 'sRN LocationName', 'sMN Run', 'sRN nothing'];
  const expected = ['sRA SCdevicestate 1', 'sRA LocationName B not defined', 'sAN Run 1', 'sFA 3'];
  const all = Buffer.concat(requests.map((request) => textFrame(request)));
  client.raw(all);
  for (const byte of all) client.raw(Buffer.from([byte]));
  for (const answer of [...expected, ...expected]) {
    expect((await client.answer()).payload.toString()).toBe(answer);
  }
});

test('the angles of a device as it is delivered are those of the description: the filter is off', async () => {
  const fresh = await new ScannerFolder().start();
  const client = await LegacyClient.forTest(portsOf(fresh).A, 'A');
  const answer = await client.request('sRN LFPangleRangeFilter');
  expect(answer.payload.toString()).toBe('sRA LFPangleRangeFilter 0 FFF24460 DBBA0 FFF24460 DBBA0 1');
});
