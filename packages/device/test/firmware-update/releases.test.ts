import { general, legacyProtocols, status } from '@azimuth/model';
import { atService, methodOf, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { DowngradeRefused } from '../../src/index.js';
import { encodeDocument } from '../../src/storage/document.js';

const { DeviceStatus } = status.members;
const { EtherLegacyScanMode } = legacyProtocols.members;

function write(testDevice: TestDevice, name: string, value: unknown): void {
  const endpoint = testDevice.device.served.endpoints.get(name);
  if (endpoint?.kind !== 'variable') throw new TypeError(`no variable ${name}`);
  testDevice.device.write(endpoint, value, atService);
}

const working = (testDevice: TestDevice) => testDevice.device.parameters.layer('working');

describe('the release of a folder', () => {
  test('wins over an older requested one, also if the parameters are lost', async () => {
    const testDevice = await TestDevice.open({ release: '2.1.0' });
    testDevice.storage.documents.set('parameters.json', Buffer.from('{'));
    await expect(testDevice.afterPowerCut({ release: '1.5.0' })).rejects.toThrow(DowngradeRefused);
    const again = await testDevice.afterPowerCut();
    expect(again.device.served.edition.release).toBe('2.1.0');
    expect(again.device.read(DeviceStatus)).toBe(7);
  });

  test('and the one it was created with outlive lost parameters', async () => {
    const testDevice = await TestDevice.open({ release: '1.5.0' });
    testDevice.storage.documents.set('parameters.json', Buffer.from('{'));
    const again = await testDevice.afterPowerCut({ release: '2.4.4' });
    await again.respond('WriteEeprom');
    expect(working(again)).toMatchObject({ EtherDHCPFallback: 1 });
  });

  test.each([
    encodeDocument({ release: '9.9.9', createdWith: '2.4.4' }),
    encodeDocument({}),
    Buffer.from('x'),
  ])('that cannot be read is set aside, and this is logged: %s', async (damaged) => {
    const testDevice = await TestDevice.open({ release: '2.1.0' });
    testDevice.storage.documents.set('firmware.json', damaged);
    const again = await testDevice.afterPowerCut();
    expect(again.device.read(DeviceStatus)).toBe(7);
    const [line] = again.log.errors;
    expect(line?.facts).toMatchObject({ document: 'firmware.json' });
    expect(again.storage.documents.get(String(line?.facts.setAside))).toEqual(damaged);
    expect(again.device.served.edition.release).toBe('2.4.4');
  });
});

describe('an update', () => {
  test('keeps a device search that was switched off switched off', async () => {
    const old = await TestDevice.open({ release: '1.5.0' });
    write(old, 'EnableColaScan', false);
    await old.respond('WriteEeprom');
    const { device } = await old.afterPowerCut({ release: '2.4.4' });
    expect(device.read(EtherLegacyScanMode)).toBe(2);
  });

  test('leaves a device search that was on at what the newer release does', async () => {
    const old = await TestDevice.open({ release: '1.5.0' });
    await old.respond('WriteEeprom');
    const { device } = await old.afterPowerCut({ release: '2.1.0' });
    expect(device.read(EtherLegacyScanMode)).toBe(3);
  });

  test('that a power cut interrupted before the release was recorded is made again', async () => {
    const old = await TestDevice.open({ release: '1.5.0' });
    write(old, 'EnableColaScan', false);
    await old.respond('WriteEeprom');
    const interrupted = old.storage.afterPowerCut();
    interrupted.fail('firmware.json');
    await expect(TestDevice.open({ release: '2.4.4' }, interrupted)).rejects.toThrow('ENOSPC');
    const { device } = await TestDevice.open({ release: '2.4.4' }, interrupted.afterPowerCut());
    expect(device.read(EtherLegacyScanMode)).toBe(2);
  });

  test('does not move the checksum of the parameters: nothing was stored', async () => {
    const old = await TestDevice.open({ release: '2.2.0' });
    write(old, 'LocationName', 'Gate 3');
    await old.respond('WriteEeprom');
    const before = old.device.read(general.members.LFTchecksum).MD5Parameters;
    const updated = await old.afterPowerCut({ release: '2.4.4' });
    expect(updated.device.read(general.members.LFTchecksum).MD5Parameters).toBe(before);
  });
});

describe('what another variant has stored', () => {
  async function fullThenBasic() {
    const full = await TestDevice.open();
    write(full, 'EnableDetectionHistory', false);
    write(full, 'EncSetting', 2);
    await full.respond('WriteEeprom');
    const basic = await full.afterPowerCut({ variant: 'basic' });
    expect(basic.device.served.endpoints.has('EncSetting')).toBe(false);
    return basic;
  }

  test('outlives a save without it', async () => {
    const basic = await fullThenBasic();
    await basic.respond('WriteEeprom');
    const full = await basic.afterPowerCut();
    expect(working(full)).toMatchObject({ EnableDetectionHistory: false, EncSetting: 2 });
  });

  test('goes with LoadFactoryDefaults', async () => {
    const basic = await fullThenBasic();
    await basic.respond('LoadFactoryDefaults');
    const full = await basic.afterPowerCut();
    expect(working(full)).toMatchObject({ EnableDetectionHistory: true, EncSetting: 0 });
  });

  test('goes with LoadApplicationDefaults where it belongs to the application', async () => {
    const basic = await fullThenBasic();
    await basic.respond('LoadApplicationDefaults');
    const full = await basic.afterPowerCut();
    expect(working(full)).toMatchObject({ EnableDetectionHistory: true, EncSetting: 2 });
  });

  test('is nothing that this one serves', async () => {
    const basic = await fullThenBasic();
    expect(basic.device.parameters.layer('stored')).not.toHaveProperty('EncSetting');
    expect(methodOf('WriteEeprom').isIn(basic.device.served.edition)).toBe(true);
  });
});
