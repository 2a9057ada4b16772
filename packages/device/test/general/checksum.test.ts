import { device as deviceGroup, general } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';

const { LFTchecksum } = general.members;
const { LocationName } = deviceGroup.members;

const name = (testDevice: TestDevice, location: string) =>
  testDevice.device.parameters.change((change) => change.set(LocationName, location));

describe('LFTchecksum', () => {
  test('have 32 hex digits each, and MD5SumOK is true', async () => {
    const { MD5SumOK, ...sums } = (await TestDevice.open()).device.read(LFTchecksum);
    expect(MD5SumOK).toBe(true);
    expect(Object.values(sums)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/^[0-9a-f]{32}$/)),
    );
    expect(new Set(Object.values(sums)).size).toBe(4);
  });

  test('moves for the parameters when other values are stored, not when they are written', async () => {
    const testDevice = await TestDevice.open();
    const before = testDevice.device.read(LFTchecksum);
    name(testDevice, 'Gate 3');
    expect(testDevice.device.read(LFTchecksum)).toEqual(before);
    await testDevice.respond('WriteEeprom');
    const after = testDevice.device.read(LFTchecksum);
    expect(after.MD5Parameters).not.toBe(before.MD5Parameters);
    expect({ ...after, MD5Parameters: '' }).toEqual({ ...before, MD5Parameters: '' });
  });

  test('stays when the same values are stored again, and comes back with them', async () => {
    const testDevice = await TestDevice.open();
    const before = testDevice.device.read(LFTchecksum).MD5Parameters;
    await testDevice.respond('WriteEeprom');
    expect(testDevice.device.read(LFTchecksum).MD5Parameters).toBe(before);
    name(testDevice, 'Gate 3');
    await testDevice.respond('WriteEeprom');
    await testDevice.respond('LoadFactoryDefaults');
    expect(testDevice.device.read(LFTchecksum).MD5Parameters).toBe(before);
  });

  test('moves for the software with the release, and never for the calibration', async () => {
    const old = await TestDevice.open({ release: '2.2.0' });
    const before = old.device.read(LFTchecksum);
    const after = (await old.afterPowerCut({ release: '2.4.4' })).device.read(LFTchecksum);
    expect(after.MD5LinuxRoot).not.toBe(before.MD5LinuxRoot);
    expect(after.MD5App).not.toBe(before.MD5App);
    expect(after.MD5Calibration).toBe(before.MD5Calibration);
  });

  test('have MD5SumOK false if stored data could not be read', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('WriteEeprom');
    testDevice.storage.documents.set('parameters.json', Buffer.from('{'));
    await testDevice.reboot();
    expect(testDevice.device.read(LFTchecksum).MD5SumOK).toBe(false);
    await testDevice.respond('WriteEeprom');
    expect(testDevice.device.read(LFTchecksum).MD5SumOK).toBe(true);
  });
});
