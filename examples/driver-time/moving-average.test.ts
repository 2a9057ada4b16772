import { expect, test } from 'vitest';
import { drive } from './start.js';

test('with a moving average, an echo is as old as the mean of its scans', async () => {
  const { scanner, driver } = await drive('approach');
  const depth = 4;
  await scanner.write('LFPmovingAveragingFilter', { bEnable: true, uiAveragingDepth: depth });
  await scanner.advance(2000);
  const speed = 1; // m/s, towards the scanner, from 10 m on
  for (const scan of driver.scans) {
    const ahead = scan.points[414];
    if (ahead === undefined) throw new Error('a beam straight ahead expected');
    const metres = 10 - (speed * driver.meanTime(scan, ahead, depth)) / 1_000_000;
    expect(Math.abs(ahead.range / 1000 - metres)).toBeLessThan(0.003);
  }
  expect(driver.scans.length).toBeGreaterThan(10);
});
