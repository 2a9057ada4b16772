import { operatingData } from '@azimuth/model';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const { LastParaDate, LastParaTime } = operatingData.members;
const minute = 60_000;

/** Lets hours pass, and returns how often each document was written in them. */
async function written({ clock, storage }: TestDevice, hours: number): Promise<Record<string, number>> {
  await promisesSettled();
  storage.begun.length = 0;
  for (let passed = 0; passed < hours * 60; passed++) {
    clock.advance(minute);
    await promisesSettled();
  }
  const counts: Record<string, number> = {};
  for (const name of storage.begun) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test('a scanner that does nothing writes its operating counters 240 times a day, and nothing else', async () => {
  const scanner = await TestDevice.open({ core: new FlatCore() });
  expect(await written(scanner, 24)).toEqual({ 'operating.json': 240 });
});

test('a scanner that measures writes as often: ten times an hour', async () => {
  const scanner = await TestDevice.open({ core: new FlatCore() });
  let scans = 0;
  scanner.device.features.measuring.watch({ scan: () => void scans++ });
  expect(await written(scanner, 1)).toEqual({ 'operating.json': 10 });
  expect(scans).toBeGreaterThan(50_000);
});

test('saves that change nothing write nothing, and tell their time', async () => {
  const scanner = await TestDevice.open({ core: new FlatCore() });
  const { device, storage } = scanner;
  await scanner.call('WriteEeprom');
  storage.begun.length = 0;
  const lastSave = () => [device.read(LastParaDate), device.read(LastParaTime)];
  const before = lastSave();
  scanner.clock.advance(5 * minute);
  for (const method of ['WriteEeprom', 'LoadApplicationDefaults', 'LoadFactoryDefaults'] as const)
    await scanner.call(method);
  await scanner.call('EnableUserLevel', { userLevel: 4, isEnabled: true });
  await scanner.call('SetWebserverEnabled', { Enable: true });
  expect(storage.begun).toEqual([]);
  expect(lastSave()).not.toEqual(before);
});
