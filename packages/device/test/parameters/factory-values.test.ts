import { allVariables, type Release, releases } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { DowngradeRefused } from '../../src/index.js';

const older: readonly Release[] = ['1.4.0', '1.5.0'];

test.each(releases)(
  'in release %s every parameter leaves the factory with a value of its type',
  async (release) => {
    const { device } = await TestDevice.open({ release });
    const factory = device.parameters.layer('factory');
    for (const variable of allVariables) {
      if (!device.parameters.has(variable)) continue;
      expect(variable.type.fromJson(factory[variable.name], variable.name)).toEqual(factory[variable.name]);
    }
    expect(Object.keys(factory)).toContain('EtherIPAddress');
  },
);

test.each(releases)('a scanner created with %s has the DHCP fallback of that release', async (release) => {
  const { device } = await TestDevice.open({ release });
  expect(device.parameters.layer('working').EtherDHCPFallback).toBe(older.includes(release) ? 1 : 0);
});

test.each(older)(
  'a scanner created with %s keeps asking DHCP, after updates and factory defaults too',
  async (release) => {
    const created = await TestDevice.open({ release });
    const updated = await created.afterPowerCut({ release: '2.4.4' });
    expect(updated.device.served.edition.release).toBe('2.4.4');
    expect(updated.device.parameters.layer('working').EtherDHCPFallback).toBe(1);
    await updated.respond('LoadFactoryDefaults');
    const again = await updated.afterPowerCut();
    expect(again.device.served.edition.release).toBe('2.4.4');
    expect(again.device.parameters.layer('factory').EtherDHCPFallback).toBe(1);
    expect(again.context.firmware.createdWith).toBe(release);
  },
);

test('an update keeps parameters and switches', async () => {
  const old = await TestDevice.open({ release: '1.5.0' });
  old.device.parameters.change((change) => {
    for (const variable of allVariables) {
      if (variable.name === 'LocationName') change.set(variable, 'Gate 3');
    }
  });
  await old.respond('WriteEeprom');
  const updated = await old.afterPowerCut({ release: '2.1.0' });
  expect(updated.device.parameters.layer('working').LocationName).toBe('Gate 3');
  expect(updated.context.state.content.userLevels).toEqual({
    Maintenance: true,
    AuthorizedClient: true,
    Service: true,
  });
});

test.each([
  ['1.4.0', true],
  ['1.5.0', true],
  ['2.1.0', false],
  ['2.4.4', false],
] as const)('created with %s, the levels below Service are switched on: %s', async (release, on) => {
  const { context } = await TestDevice.open({ release });
  const expected = { Maintenance: on, AuthorizedClient: on, Service: true };
  expect(context.state.content).toMatchObject({ userLevels: expected, legacyUserLevels: expected });
});

test('an older release is refused, and the scanner is left as it was', async () => {
  const { storage } = await TestDevice.open({ release: '2.3.1' });
  const before = new Map(storage.documents);
  await expect(TestDevice.open({ release: '2.2.0' }, storage.afterPowerCut())).rejects.toThrow(
    DowngradeRefused,
  );
  expect(storage.documents).toEqual(before);
});

test('no release stated means that of the folder, and the newest in a new one', async () => {
  const newest = await TestDevice.open();
  expect(newest.device.served.edition.release).toBe('2.4.4');
  const older = await TestDevice.open({ release: '2.1.0' });
  expect((await older.afterPowerCut()).device.served.edition.release).toBe('2.1.0');
});
