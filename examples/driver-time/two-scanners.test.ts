import { expect, test } from 'vitest';
import { connect, driverUnderTest, poses, startVehicle } from './start.js';

test('two scanners that send to one port stay apart, and their scans fit together', async () => {
  const world = await startVehicle('vehicle');
  const { front, rear } = world.scanners;
  if (front === undefined || rear === undefined) throw new Error('two scanners expected');
  const driver = driverUnderTest();
  await connect(driver, front, rear);
  await world.advance(1000);
  const scans = (sender: number) => driver.scans.filter((scan) => scan.sender === sender);
  expect(scans(1001).length).toBeGreaterThan(10);
  expect(scans(1002).map(({ number }) => number)).toEqual(scans(1001).map(({ number }) => number));
  for (const [scanner, sender] of [
    [front, 1001],
    [rear, 1002],
  ] as const) {
    for (const scan of scans(sender)) {
      expect(scan.points).toHaveLength(829);
      expect(scan.missing).toBe(0);
      // Nearly all echoes are of the walls, at x = ±6 and y = ±4; the others are of the vehicle.
      const points = driver.deskewed(scan, await poses(scanner, scan.number));
      const isOnWall = points.filter(
        ({ x, y }) => Math.min(Math.abs(6 - Math.abs(x)), Math.abs(4 - Math.abs(y))) < 0.003,
      );
      expect(isOnWall.length).toBeGreaterThan(0.9 * points.length);
    }
  }
  // Both were switched on at the same moment, and have the same UTC.
  expect(scans(1002).map(({ begin }) => begin)).toEqual(scans(1001).map(({ begin }) => begin));
});
