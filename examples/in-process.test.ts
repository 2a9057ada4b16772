import { startScanner, type TestScanner } from 'azimuth-scanner/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

let scanner: TestScanner;
beforeEach(async () => {
  scanner = await startScanner({ scene: 'empty-room' });
});
afterEach(() => scanner.close());

test('what was not stored is lost in a power cut', async () => {
  const before = await scanner.client.read('LocationName');
  await scanner.client.write('LocationName', 'Gate 3');
  await scanner.powerCycle();
  expect(await scanner.client.read('LocationName')).toBe(before);
});
