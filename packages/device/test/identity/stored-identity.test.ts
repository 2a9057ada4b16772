import { device as identification, status } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { randomSerialNumber, SystemRandom, storedIdentity } from '../../src/index.js';

const usual = '123456789';
const { SerialNumber } = identification.members;
const { DeviceStatus } = status.members;

const identityWith = ({
  requested,
  fresh = 'drawn',
}: {
  readonly requested?: string;
  readonly fresh?: string;
} = {}) => ({
  identity: storedIdentity({ requested, fresh: () => fresh, usual }),
});

describe('a serial number', () => {
  test('is random for a new scanner, and stored, with the MAC address that follows from it', async () => {
    const testDevice = await TestDevice.open(identityWith());
    expect(testDevice.device.read(SerialNumber)).toBe('drawn');
    const again = await testDevice.afterPowerCut(identityWith({ fresh: 'another' }));
    expect(again.device.read(SerialNumber)).toBe('drawn');
    expect(again.device.identity.macAddress).toEqual(testDevice.device.identity.macAddress);
  });

  test('that is requested is stored by a new scanner, and counts regardless of a stored one', async () => {
    const testDevice = await TestDevice.open(identityWith({ requested: '42' }));
    const named = await testDevice.afterPowerCut(identityWith({ requested: '43' }));
    expect(named.device.read(SerialNumber)).toBe('43');
    const again = await named.afterPowerCut(identityWith());
    expect(again.device.read(SerialNumber)).toBe('42');
  });

  test('is the usual one where a scanner has been used that keeps none', async () => {
    const testDevice = await TestDevice.open();
    const again = await testDevice.afterPowerCut(identityWith());
    expect(again.device.read(SerialNumber)).toBe(usual);
    expect(again.log.errors).toEqual([]);
    expect(again.device.read(DeviceStatus)).toBe(3);
  });

  test.each(['{"format":1,"serialNumber":"too long for one"}', '{"format":1}', 'damaged'])(
    'that cannot be read is logged, and another one is stored: %s',
    async (content) => {
      const testDevice = await TestDevice.open(identityWith());
      testDevice.storage.documents.set('identity.json', Buffer.from(content));
      const lost = await testDevice.afterPowerCut(identityWith({ fresh: 'next' }));
      expect(lost.device.read(SerialNumber)).toBe('next');
      expect(lost.device.read(DeviceStatus)).toBe(7);
      expect(lost.device.features.deviceStatus.conditions.intact).toBe(false);
      expect(lost.log.errors.map(({ facts }) => facts.document)).toEqual(['identity.json']);
      const again = await lost.afterPowerCut(identityWith());
      expect(again.device.read(SerialNumber)).toBe('next');
      expect(again.device.read(DeviceStatus)).toBe(3);
    },
  );

  test('drawn from a seed is the same each time, and by chance another one', () => {
    const random = new SystemRandom();
    expect(randomSerialNumber(random, 7)).toBe(randomSerialNumber(random, 7));
    const drawn = [1, 2, 3].map((seed) => randomSerialNumber(random, seed));
    const all = [...drawn, randomSerialNumber(random), randomSerialNumber(random)];
    expect(new Set(all).size).toBe(5);
    for (const serial of all) expect(serial).toMatch(/^[1-9]\d{7}$/);
  });
});
