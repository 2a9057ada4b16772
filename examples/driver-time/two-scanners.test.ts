import { expect, test } from 'vitest';
import { connect, driverUnderTest, pass, start } from './start.js';

test('two scanners that send to one port stay apart, and their times can be compared', async () => {
  const left = await start('hall', undefined, { serial: '1001', synchronised: true });
  const right = await start('driving', undefined, { serial: '1002', synchronised: true });
  const driver = driverUnderTest();
  await connect(driver, left, right);
  await pass(1000, left, right);
  for (const sender of [1001, 1002]) {
    const own = driver.scans.filter((scan) => scan.sender === sender);
    expect(own.length).toBeGreaterThan(10);
    for (const { points } of own) expect(points).toHaveLength(829);
    expect(own.slice(1).filter(({ missing, isNewClock }) => missing > 0 || isNewClock)).toEqual([]);
  }
  // Both have UTC: the scans of one moment have times of one revolution.
  const [one, other] = [1001, 1002].map((sender) => driver.scans.findLast((scan) => scan.sender === sender));
  expect(Math.abs((one?.begin ?? 0) - (other?.begin ?? 0))).toBeLessThan(70_000);
});
