import { expect, test } from 'vitest';
import { drive, pass } from './start.js';

test('the turn between two beams comes from IMU stamps, whenever the telegrams arrive', async () => {
  const { scanner, driver } = await drive('driving', 'late-imu');
  await pass(3000, scanner);
  // The last IMU telegrams are still on their way.
  for (const { number } of driver.scans.slice(2, -4)) {
    const { beams } = await scanner.truth({ scan: number });
    const [first, last] = [beams[0], beams.at(-1)];
    const turned = (driver.turned(first?.time ?? 0, last?.time ?? 0) * 180) / Math.PI;
    const right = (last?.pose.heading ?? 0) - (first?.pose.heading ?? 0);
    // Degrees. An IMU is smooth where the path has corners.
    expect(Math.abs(turned - right)).toBeLessThan(2.5);
  }
  expect(driver.scans.length).toBeGreaterThan(30);
});
