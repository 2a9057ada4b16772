import { expect, test } from 'vitest';
import { drive } from './start.js';

test('the mirror also passes the blind sector, at the same speed', async () => {
  const { scanner, driver } = await drive('hall');
  await scanner.advance(1000);
  const period = 1_000_000 / 15;
  for (const [index, { points }] of driver.scans.entries()) {
    const [first] = points;
    const last = points.at(-1);
    expect((last?.time ?? 0) - (first?.time ?? 0)).toBeCloseTo((period * 276) / 360, -1);
    const next = driver.scans[index + 1]?.points[0];
    if (next !== undefined) expect(next.time - (last?.time ?? 0)).toBeCloseTo((period * 84) / 360, -1);
  }
  expect(driver.scans.length).toBeGreaterThan(10);
});
