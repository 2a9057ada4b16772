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
    for (let count = 0; count < 4; count += 1) answers.push(await client.response());
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

test('the angles of a device as it is delivered are those of the description: the filter is off', async () => {
  const fresh = await new ScannerFolder().start();
  const client = await LegacyClient.forTest(portsOf(fresh).A, 'A');
  const answer = await client.request('sRN LFPangleRangeFilter');
  expect(answer.payload.toString()).toBe('sRA LFPangleRangeFilter 0 FFF24460 DBBA0 FFF24460 DBBA0 1');
});
