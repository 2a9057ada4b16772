import { performanceProfiles, releases } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { causesIn, Watched } from '../../timing/watched.js';

describe('nothing is wrong with the times', () => {
  test.each(releases)('of release %s, with any profile and format', async (release) => {
    await using watched = await Watched.start({ release });
    for (const format of [1, 2]) {
      await watched.write('ScanDataFormat', format);
      for (const profile of Object.keys(performanceProfiles)) {
        await watched.write('PerformanceProfileNumber', Number(profile));
        await watched.scanner.advance(200);
        const report = await watched.over(4000);
        expect(report.streams[0]?.scans, profile).toBeGreaterThan(50);
        expect(causesIn(report), `${format} ${profile}`).toEqual([]);
      }
    }
  });

  test('over an hour, after the profile has changed in the middle', async () => {
    await using watched = await Watched.start();
    await watched.write('PerformanceProfileNumber', 11);
    const { scanner } = watched;
    await scanner.advance(1_800_000);
    await watched.write('PerformanceProfileNumber', 8);
    await scanner.advance(600_000);
    expect(causesIn(watched.analysis.report({ now: scanner.device.clock.utc() }))).toEqual([]);
    // 48,000 scans take more than a minute of CPU time.
  }, 300_000);
});
