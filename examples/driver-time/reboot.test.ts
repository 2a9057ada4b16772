import { expect, test } from 'vitest';
import { drive } from './start.js';

test('after a reboot, numbers and times begin again, and scans go on', async () => {
  const { scanner, driver } = await drive('hall', undefined, { stored: { ScanDataEnable: true } });
  await scanner.write('ScanDataEthSettings', scanner.read('ScanDataEthSettings'));
  await scanner.client.call('WriteEeprom');
  await scanner.advance(2000);
  const before = driver.scans.length;
  await scanner.powerCycle();
  await scanner.advance(1000);
  const after = driver.scans.slice(before);
  expect(after.length).toBeGreaterThan(10);
  const first = driver.scans.findIndex(
    ({ number }, index) => number < (driver.scans[index - 1]?.number ?? 0),
  );
  expect(driver.scans[first]).toMatchObject({ number: 1, missing: 0, isNewClock: true });
});
