import { enableLegacyLevel, session } from '@azimuth/test-support/legacy/scanner';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

/** What drivers of relatives ask, in text, and what this scanner says at level AuthorizedClient. */
const asked: readonly (readonly [string, string])[] = [
  ['sMN IsSystemReady', 'sAN IsSystemReady 1'],
  ['sRN OrdNum', 'sRA OrdNum 7 1134610'],
  ['sRN DItype', 'sRA DItype B picoScan1xx'],
  ['sRN DeviceTime', 'sFA 3'],
  // 15 Hz and a third of a degree, from -48 to 228 degrees: the profile in force.
  ['sMN mLMPsetscancfg 5DC 1 D05 0 0', 'sAN mLMPsetscancfg 0 5DC 1 D05 FFF8AD00 22CA40'],
  ['sMN mLMPsetscancfg +2500 +1 +2500 -50000 +1850000', 'sAN mLMPsetscancfg 1 5DC 1 D05 FFF8AD00 22CA40'],
  ['sMN mLMPsetscancfg +1500 +1 +5000 -450000 +2250000', 'sAN mLMPsetscancfg 2 5DC 1 D05 FFF8AD00 22CA40'],
  ['sMN mCLsetscancfglist 1', 'sAN mCLsetscancfglist 5'],
  ['sWN SetActiveApplications 1 FEVL 0', 'sWA SetActiveApplications'],
  ['sWN SetActiveApplications 1 RANG 1', 'sWA SetActiveApplications'],
  ['sRN SetActiveApplications', 'sRA SetActiveApplications 2 FEVL 1 RANG 1'],
  ['sWN ScanLayerFilter 4 1 1 1 1', 'sWA ScanLayerFilter'],
  ['sRN ScanLayerFilter', 'sRA ScanLayerFilter 1 1'],
  ['sEN ECRChangeArr 1', 'sEA ECRChangeArr 1'],
  ['sEN ECRChangeArr 0', 'sEA ECRChangeArr 0'],
  ['sRN ECRChangeArr', 'sFA 3'],
  ['sRN IsSystemReady', 'sFA 3'],
  ['sMN ScanLayerFilter', 'sFA 2'],
];

const needLevel = ['mLMPsetscancfg', 'mCLsetscancfglist', 'sWN SetActiveApplications', 'sWN ScanLayerFilter'];

describe('names that drivers of relatives send', () => {
  test('are answered as those are where that is known, and refused where not', async () => {
    const scanner = await LegacyTestScanner.start();
    await enableLegacyLevel(scanner.rest, 3);
    const client = await session(scanner.ports, 'A');
    const profile = await scanner.rest.value('PerformanceProfileNumber');
    await client.login(3);
    for (const [request, answer] of asked) {
      expect((await client.request(request)).payload.toString('latin1'), request).toBe(answer);
    }
    expect(await scanner.rest.value('PerformanceProfileNumber'), 'the profile is kept').toBe(profile);
  });

  test('that would change something need the level that changing needs', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    for (const [request, answer] of asked) {
      const refusal = request.startsWith('sWN') ? 'sFA A' : 'sFA 1';
      const isRefused = needLevel.some((words) => request.includes(words));
      expect((await client.request(request)).payload.toString('latin1'), request).toBe(
        isRefused ? refusal : answer,
      );
    }
  });

  test('are taken in binary as drivers encode them', async () => {
    const scanner = await LegacyTestScanner.start();
    await enableLegacyLevel(scanner.rest, 3);
    const client = await LegacyClient.forTest(scanner.ports.B, 'B');
    await client.login(3);
    const said = async (head: string, values = '') => {
      const answer = await client.request(Buffer.concat([Buffer.from(head), Buffer.from(values, 'hex')]));
      return [answer.command, answer.name, answer.values.toString('hex')];
    };
    expect(await said('sMN IsSystemReady')).toEqual(['sAN', 'IsSystemReady', '01']);
    expect(await said('sMN mLMPsetscancfg ', '00001388000100001388fff9223000225510')).toEqual([
      'sAN',
      'mLMPsetscancfg',
      '01000005dc000100000d05fff8ad000022ca40',
    ]);
    expect(await said('sMN mCLsetscancfglist ', '01')).toEqual(['sAN', 'mCLsetscancfglist', '05']);
    expect(await said('sWN SetActiveApplications ', '00014645564c01')).toEqual([
      'sWA',
      'SetActiveApplications',
      '',
    ]);
    expect(await said('sWN ScanLayerFilter ', '000401010101')).toEqual(['sWA', 'ScanLayerFilter', '']);
    expect(await said('sEN ECRChangeArr ', '01')).toEqual(['sEA', 'ECRChangeArr', '01']);
  });
});
