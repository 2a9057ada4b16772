import { expect, test } from 'vitest';
import { drive } from './start.js';

test('the driver tells how many scans are missing, and the next one has its own time', async () => {
  const { scanner, driver } = await drive('hall', 'gap');
  await scanner.advance(2000);
  const gaps = driver.scans.filter(({ missing }) => missing > 0);
  expect(gaps.length).toBeGreaterThan(0);
  for (const { number, begin } of driver.scans) {
    const { time } = await scanner.truth({ scan: number });
    // µs
    expect(Math.abs(begin - time)).toBeLessThan(1000);
  }
});
