import { expect, test } from 'vitest';
import { drive, pass } from './start.js';

test('the clock of the scanner drifts, and the driver follows', async () => {
  const { scanner, driver } = await drive('hall', 'drift');
  for (let second = 1; second <= 6; second++) {
    await pass(1000, scanner);
    const newest = driver.scans.at(-1);
    const { beams } = await scanner.truth({ scan: newest?.number ?? 0 });
    // The clock of this computer is that of the simulation, so the truth has the right time.
    const right = beams.at(-1)?.time ?? 0;
    const told = driver.onThisComputer(newest?.points.at(-1)?.time ?? 0);
    // ms
    expect(Math.abs(told - right) / 1000).toBeLessThan(12);
  }
});
