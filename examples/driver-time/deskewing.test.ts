import { expect, test } from 'vitest';
import { drive, poses } from './start.js';

test('at 2 m/s and 90°/s, all points of a scan lie on the walls', async () => {
  const { scanner, driver } = await drive('driving');
  await scanner.advance(900);
  for (const scan of driver.scans) {
    const points = driver.deskewed(scan, await poses(scanner, scan.number));
    expect(points.length).toBeGreaterThan(800);
    // m from the walls of the hall, at x = ±6 and y = ±4.
    const errors = points.map(({ x, y }) => Math.min(Math.abs(6 - Math.abs(x)), Math.abs(4 - Math.abs(y))));
    expect(Math.max(...errors)).toBeLessThan(0.002);
  }
  expect(driver.scans.length).toBeGreaterThan(8);
});
