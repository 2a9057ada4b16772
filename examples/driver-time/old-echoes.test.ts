import { expect, test } from 'vitest';
import { drive } from './start.js';

test('scans with echoes of an earlier scan are told apart', async () => {
  for (const [plan, many] of [
    ['stuck', 6],
    ['swapped', 11],
  ] as const) {
    const { scanner, driver } = await drive('noisy-hall', plan);
    await scanner.advance(2000);
    const repeated = driver.scans.filter(({ isRepeated }) => isRepeated);
    expect(Math.abs(repeated.length - many)).toBeLessThan(2);
    // At first, nothing is wrong.
    expect(Math.min(...repeated.map(({ begin }) => begin - (driver.scans[0]?.begin ?? 0)))).toBeGreaterThan(
      400_000,
    );
    const steps = repeated.slice(1).map(({ number }, index) => number - (repeated[index]?.number ?? 0));
    expect(new Set(steps)).toEqual(new Set([plan === 'stuck' ? 1 : 2]));
  }
});
