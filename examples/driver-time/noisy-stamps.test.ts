import { expect, test } from 'vitest';
import { drive } from './start.js';

test('stamps that jitter are smoothed by the numbers of their scans', async () => {
  const { scanner, driver } = await drive('hall', 'noisy-stamps');
  await scanner.advance(10_000);
  for (const { number, smoothBegin } of driver.scans.slice(30)) {
    const { time } = await scanner.truth({ scan: number });
    // µs
    expect(Math.abs(smoothBegin - time)).toBeLessThan(500);
  }
  expect(driver.scans.length).toBeGreaterThan(100);
});
