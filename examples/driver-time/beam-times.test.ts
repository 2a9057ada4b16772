import { expect, test } from 'vitest';
import { drive } from './start.js';

test('each beam has its own time', async () => {
  const { scanner, driver } = await drive('hall');
  await scanner.advance(1000);
  for (const { number, points } of driver.scans) {
    const { beams } = await scanner.truth({ scan: number });
    expect(points).toHaveLength(beams.length);
    const errors = points.map(({ time }, beam) => Math.abs(time - (beams[beam]?.time ?? 0)));
    expect(Math.max(...errors)).toBeLessThan(1.5);
  }
  expect(driver.scans.length).toBeGreaterThan(10);
});
