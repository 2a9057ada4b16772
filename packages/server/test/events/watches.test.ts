import { expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/service-test-bench.js';
import { Watches } from '../../src/events/watches.js';

test('all who watch the same share a watch, which goes with the last of them', async () => {
  const { service } = await Bench.start();
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
