import type { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { storedIdentity } from '../../src/identity/identity.js';

const identity = storedIdentity({ requested: undefined, fresh: () => '11111111', usual: '22222222' });

/** The documents of a scanner that has stored everything once. */
async function used(): Promise<FaultyStorage> {
  const testDevice = await TestDevice.open({ identity });
  const { storage } = testDevice;
  await testDevice.device.features.https.remove();
  await testDevice.device.features.history.reset();
  return storage.afterPowerCut();
}

const names = [
  'parameters.json',
  'firmware.json',
  'identity.json',
  'operating.json',
  'certificates.json',
  'detections.json',
];

test.each(names.flatMap((name) => ['EACCES', 'EIO'].map((code) => [name, code] as const)))(
  'a scanner whose %s cannot be read for %s starts with DeviceStatus 7 and never moves or replaces it',
  async (name, code) => {
    const storage = await used();
    const before = new Map(storage.documents);
    storage.failRead(name, code);
    const testDevice = await TestDevice.open({ identity }, storage);
    const { device, clock, log } = testDevice;
    expect(device.features.deviceStatus.conditions.deviceStatus).toBe(7);
    expect(device.features.saving.lostDocuments).toEqual([{ document: name, setAside: undefined }]);
    expect(log.errors[0]?.facts).toMatchObject({ document: name, reason: expect.stringContaining(code) });
    await testDevice.call('WriteEeprom').catch(() => undefined);
    await device.features.history.reset().catch(() => undefined);
    await device.features.https.remove().catch(() => undefined);
    clock.advance(400_000);
    await testDevice.reboot();
    expect(storage.documents.get(name)).toEqual(before.get(name));
    expect([...storage.documents.keys()].sort()).toEqual([...before.keys()].sort());
    expect(device.features.saving.lostDocuments).toHaveLength(1);
    storage.recover();
    const after = await testDevice.afterPowerCut({ identity });
    expect(after.device.features.deviceStatus.conditions.intact).toBe(true);
    expect(after.device.features.saving.lostDocuments).toEqual([]);
  },
);

test('a save over parameters that could not be read is refused with a reason, until a boot has read them', async () => {
  const storage = await used();
  storage.failRead('parameters.json');
  const testDevice = await TestDevice.open({ identity }, storage);
  await expect(testDevice.call('WriteEeprom')).rejects.toMatchObject({
    status: 'internalServerError',
    message: expect.stringContaining('is not overwritten'),
  });
  storage.recover();
  await testDevice.reboot();
  expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(3);
  await testDevice.call('WriteEeprom');
});
