import { expect, test } from 'vitest';
import { drive } from './start.js';

test('datagrams in another order, or twice, give the same scans', async () => {
  const { scanner, driver } = await drive('hall', 'other-order');
  await scanner.advance(2000);
  for (const { points } of driver.scans) {
    expect(points).toHaveLength(829);
    const times = points.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  }
  const numbers = driver.scans.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect(numbers.length).toBeGreaterThan(20);
});
