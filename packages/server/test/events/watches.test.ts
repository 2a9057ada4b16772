import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { Watches } from '../../src/events/watches.js';

test('clients with the same variables share a watch, which ends with the last client', async () => {
  const { service } = await TestScanner.start();
  const watches = new Watches(service.device);
  const [one, other] = [() => undefined, () => undefined];
  const watch = watches.of(['LocationName', 'DeviceStatus']);
  watch.add(one);
  expect(watches.of(['DeviceStatus', 'LocationName', 'DeviceStatus'])).toBe(watch);
  watch.add(other);
  expect(watches.of([])).not.toBe(watch);
  expect(watches.size).toBe(2);
  watch.delete(one);
  expect(watches.of(['LocationName', 'DeviceStatus'])).toBe(watch);
  watch.delete(other);
  expect(watches.size).toBe(1);
});
