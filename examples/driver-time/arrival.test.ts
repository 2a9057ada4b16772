import { expect, test } from 'vitest';
import { drive, pass } from './start.js';

test('a slow network changes no time of measurement', async () => {
  const { scanner, driver } = await drive('hall', 'late-network');
  await pass(1000, scanner);
  for (const { number, begin } of driver.scans) {
    const { time } = await scanner.truth({ scan: number });
    expect(Math.abs(begin - time)).toBeLessThan(1.5);
  }
  expect(driver.scans.length).toBeGreaterThan(5);
});
