import { defineProduct, device, extensions, firmwareUpdate, type ProductDefinition } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { bootMilliseconds, TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { pieces, signed, trusted } from '../firmware-update/files.js';

const { UpdateState } = firmwareUpdate.members;
const { FirmwareVersion } = device.members;

const product = defineProduct({
  name: 'acme',
  deviceType: 'acme3xx',
  orderNumber: '1',
  realm: 'Acme',
  releases: { '4.9.0': '2.3.3', '5.0.0': '2.4.4', '5.0.1': '2.4.4' },
} satisfies ProductDefinition);

const own = { product: 'acme', deviceType: 'acme3xx', release: '5.0.1' };

async function done(): Promise<void> {
  for (let round = 0; round < 20; round++) await promisesSettled();
}

async function updated(file: Uint8Array, storage = new FaultyStorage()): Promise<TestDevice> {
  const testDevice = await TestDevice.open(
    { product, release: '5.0.0', firmwareKey: trusted.publicKey },
    storage,
  );
  await testDevice.device.features.firmwareUpdate.receive(pieces(file, 4096), testDevice.log);
  await testDevice.respond('RunFirmwareUpdate');
  for (const milliseconds of [0, 1000, 2000, bootMilliseconds]) {
    testDevice.clock.advance(milliseconds);
    await done();
  }
  return testDevice;
}

describe('a firmware file for a product', () => {
  test('is installed: the scanner runs its version after the reboot, and after a power cut', async () => {
    const storage = new FaultyStorage();
    const testDevice = await updated(await signed(own), storage);
    expect(testDevice.device.read(FirmwareVersion)).toBe('5.0.1');
    const again = await TestDevice.open({ product }, storage.afterPowerCut());
    expect(again.device.read(FirmwareVersion)).toBe('5.0.1');
  });

  test.each([
    ['another product', { ...own, product: 'other' }, 'it is for the product other, this is acme'],
    ['the built-in product', { ...own, product: undefined }, 'it is for the product picoScan, this is acme'],
    [
      'another device type',
      { ...own, deviceType: 'acme9xx' },
      'it is for the device type acme9xx, this is acme3xx',
    ],
    ['an older version', { ...own, release: '4.9.0' }, '4.9.0 is older than the running release 5.0.0'],
    ['an unknown version', { ...own, release: '4.9.9' }, 'the release 4.9.9 is unknown'],
    ['a release of the interface', { ...own, release: '2.4.4' }, 'the release 2.4.4 is unknown'],
  ])('is refused for %s', async (_, purpose, why) => {
    const { device } = await updated(await signed(purpose));
    expect(device.read(UpdateState)).toBe(3);
    expect(device.read(extensions.members.firmware).Fault).toContain(why);
    expect(device.read(FirmwareVersion)).toBe('5.0.0');
  });

  test('is refused by the built-in product', async () => {
    const testDevice = await TestDevice.open({ firmwareKey: trusted.publicKey });
    const file = await signed({ product: 'acme', release: '2.4.4' });
    await testDevice.device.features.firmwareUpdate.receive(pieces(file, 4096), testDevice.log);
    await testDevice.respond('RunFirmwareUpdate');
    await done();
    expect(testDevice.device.read(extensions.members.firmware).Fault).toContain(
      'it is for the product acme, this is picoScan',
    );
  });
});
