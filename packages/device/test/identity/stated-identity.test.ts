import { builtInProduct, defineProduct } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';

const product = defineProduct({
  name: 'acmeScan',
  deviceType: 'acmeScan1',
  orderNumber: '6070123',
  realm: 'Acme Sensor',
  macPrefix: '02:AC:3E',
  releases: { '5.0.1': '2.4.4' },
});
const { name, deviceType, orderNumber } = product;

async function identityOf(identity: { serialNumber: string; macAddress?: number[]; name?: string }) {
  return (await TestDevice.open({ identity, product })).device.identity;
}

describe('an identity', () => {
  test('follows from the serial number and the product', async () => {
    const { macAddress, ...others } = await identityOf({ serialNumber: '23450001' });
    const facts = { serialNumber: '23450001', name, deviceType, orderNumber, laserType: 0, sipmType: 0 };
    expect(others).toEqual(facts);
    expect(macAddress.slice(0, 3)).toEqual([0x02, 0xac, 0x3e]);
    expect((await identityOf({ serialNumber: '23450002' })).macAddress).not.toEqual(macAddress);
  });

  test('has what was stated beside the serial number, but the name of its product', async () => {
    const macAddress = [2, 0, 0, 0, 0, 1];
    const stated = { serialNumber: '23450001', macAddress, name: 'other' };
    expect(await identityOf(stated)).toMatchObject({ macAddress, name });
    const builtIn = await TestDevice.open({ identity: stated });
    expect(builtIn.device.identity).toMatchObject({
      ...{ macAddress, name: 'other' },
      orderNumber: builtInProduct.orderNumber,
    });
  });

  test.each(['', '1234567890', '23-45'])(
    'with the serial number %j fails the start',
    async (serialNumber) => {
      const expected = `identity.serialNumber: expected 1 to 9 letters and digits, got ${JSON.stringify(serialNumber)}`;
      await expect(identityOf({ serialNumber })).rejects.toThrow(expected);
    },
  );
});
