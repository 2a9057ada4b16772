import { expect, test } from 'vitest';
import { drive } from './start.js';

test('a change between UTC and the uptime is a new clock, and no gap of 56 years', async () => {
  const { scanner, driver } = await drive('hall', 'synchronisation-lost', { synchronised: true });
  await scanner.advance(2500);
  const year2000 = Date.UTC(2000, 0, 1) * 1000;
  const clocks = driver.scans.map(({ begin }) => (begin > year2000 ? 'UTC' : 'uptime'));
  for (const [index, { begin, isNewClock, missing, period }] of driver.scans.entries()) {
    if (index === 0) continue;
    expect(isNewClock).toBe(clocks[index] !== clocks[index - 1]);
    expect(missing).toBe(0);
    if (isNewClock) continue;
    expect(Math.abs(begin - (driver.scans[index - 1]?.begin ?? 0) - period)).toBeLessThan(100);
  }
  expect(driver.scans.filter(({ isNewClock }) => isNewClock)).toHaveLength(3);
});
