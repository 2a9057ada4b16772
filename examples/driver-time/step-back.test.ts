import { expect, test } from 'vitest';
import { drive } from './start.js';

test('times that step back cost no scan', async () => {
  const { scanner, driver } = await drive('hall', 'step-back', { synchronised: true });
  await scanner.advance(3000);
  const numbers = driver.scans.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  const steps = driver.scans.flatMap(({ begin, isNewClock }, index) => {
    const before = driver.scans[index - 1];
    return before === undefined || !isNewClock ? [] : [Math.round((begin - before.begin) / 1000)];
  });
  // Back by 250 ms, and right again within a second.
  expect(steps).toEqual([67 - 250, 67 + 250]);
});
