import { expect, test } from 'vitest';
import { drive } from './start.js';

test('a lost segment moves no other one', async () => {
  const { scanner, driver } = await drive('hall', 'lost-segments');
  await scanner.advance(2000);
  const complete = 829;
  expect(driver.scans.filter(({ points }) => points.length < complete).length).toBeGreaterThan(5);
  for (const { number, points } of driver.scans) {
    const { beams } = await scanner.truth({ scan: number });
    for (const { angle, time, range } of points) {
      const degrees = (angle * 180) / Math.PI;
      const truth = beams[Math.round((degrees + 138) * 3)];
      expect(Math.abs(degrees - (truth?.angle ?? 0))).toBeLessThan(0.02);
      expect(Math.abs(time - (truth?.time ?? 0))).toBeLessThan(1.5);
      expect(Math.abs(range - (truth?.surface?.distance ?? 0))).toBeLessThan(1);
    }
  }
});
