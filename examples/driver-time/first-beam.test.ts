import { expect, test } from 'vitest';
import { drive } from './start.js';

test('the time of a scan is that of its first beam, also of a part of the field of view', async () => {
  const { scanner, driver } = await drive('hall');
  // From -30° to 60°, in 1/10000 degree: the segments with these beams are sent.
  const filter = { bEnable: true, fThetaStart: -300_000, fThetaStop: 600_000, uiBeamIncrement: 1 };
  await scanner.write('LFPangleRangeFilter', { ...scanner.read('LFPangleRangeFilter'), ...filter });
  await scanner.advance(1000);
  for (const { number, begin, points } of driver.scans) {
    const { beams } = await scanner.truth({ scan: number });
    const degrees = ((points[0]?.angle ?? 0) * 180) / Math.PI;
    const first = beams.find(({ angle }) => Math.abs(angle - degrees) < 0.1);
    expect(degrees).toBeGreaterThan(-60);
    expect(Math.abs(begin - (first?.time ?? 0))).toBeLessThan(1.5);
  }
  expect(driver.scans.length).toBeGreaterThan(10);
});
