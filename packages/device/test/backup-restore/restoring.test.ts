import {
  allVariables,
  device as deviceGroup,
  ethernet,
  general,
  imuDataOutput,
  legacyProtocols,
  operatingData,
} from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { selectedBy } from '../../src/backup-restore/restore-plan.js';
import { altered, fileOf, plainBackup, refusal, restored, success } from './files.js';

const { LocationName } = deviceGroup.members;
const { EtherIPAddress } = ethernet.members;
const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

function name(testDevice: TestDevice, location: string): void {
  testDevice.device.parameters.change((change) => change.set(LocationName, location));
}

describe('a restore', () => {
  test('is in force and stored before the response, without a reboot, and sets the date of the last save', async () => {
    const testDevice = await TestDevice.open();
    name(testDevice, 'in the backup');
    const file = await plainBackup(testDevice);
    name(testDevice, 'later');
    await testDevice.respond('WriteEeprom');
    testDevice.clock.advance(3 * 86_400_000);
    const before = testDevice.device.read(operatingData.members.LastParaDate);
    expect(await restored(testDevice, file)).toEqual(success);
    expect(testDevice.device.lifecycle.phase).toBe('up');
    expect(testDevice.device.read(LocationName)).toBe('in the backup');
    expect(testDevice.device.read(operatingData.members.LastParaDate)).not.toBe(before);
    expect((await testDevice.afterPowerCut()).device.read(LocationName)).toBe('in the backup');
  });

  test('restores the file made last, where none was transferred since', async () => {
    const testDevice = await TestDevice.open();
    name(testDevice, 'one');
    await testDevice.respond('CreateParameterBackup', {});
    name(testDevice, 'two');
    expect(await testDevice.respond('RestoreParameterBackup', {})).toEqual(success);
    expect(testDevice.device.read(LocationName)).toBe('one');
  });

  test('announces everything that has changed once, and together', async () => {
    const testDevice = await TestDevice.open();
    const file = await plainBackup(testDevice);
    name(testDevice, 'later');
    testDevice.device.parameters.change((change) => change.set(EtherIPAddress, [10, 0, 0, 7]));
    const heard: string[][] = [];
    testDevice.device.announcements.subscribe((changed) => {
      heard.push(changed.map((variable) => variable.name));
      // Listeners find all of it.
      if (changed.includes(LocationName))
        expect(testDevice.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    });
    await restored(testDevice, file);
    const reported = heard.filter(
      (names) => names.includes('LocationName') || names.includes('EtherIPAddress'),
    );
    expect(reported).toEqual([['LocationName', 'EtherIPAddress']]);
  });

  test('is nothing until the disk has it: readers find the old values while it is written', async () => {
    const testDevice = await TestDevice.open();
    const file = await plainBackup(testDevice);
    name(testDevice, 'later');
    const gate = testDevice.storage.delay('parameters.json');
    const response = restored(testDevice, file);
    await expect.poll(() => testDevice.storage.begun.at(-1)).toBe('parameters.json');
    expect(testDevice.device.read(LocationName)).toBe('later');
    gate.open();
    expect(await response).toEqual(success);
    expect(testDevice.device.read(LocationName)).not.toBe('later');
  });

  test('is all or nothing after a power cut', async () => {
    const testDevice = await TestDevice.open();
    name(testDevice, 'old');
    await testDevice.respond('WriteEeprom');
    name(testDevice, 'in the backup');
    const file = await plainBackup(testDevice);
    await testDevice.device.features.backups.receive(file);
    testDevice.storage.die('parameters.json');
    void testDevice.respond('RestoreParameterBackup', {});
    await expect.poll(() => testDevice.storage.begun.at(-1)).toBe('parameters.json');
    const after = await testDevice.afterPowerCut();
    expect(after.device.read(LocationName)).toBe('old');
    expect(await after.respond('RestoreParameterBackup', {})).toEqual(success);
    expect(after.device.read(LocationName)).toBe('in the backup');
  });

  test('takes over the parts that Filter names, and leaves the others alone, working and stored', async () => {
    const testDevice = await TestDevice.open();
    const file = await plainBackup(testDevice);
    name(testDevice, 'stored');
    await testDevice.respond('WriteEeprom');
    name(testDevice, 'working');
    testDevice.device.parameters.change((change) => change.set(EtherIPAddress, [10, 0, 0, 7]));
    expect(await restored(testDevice, file, { Filter: 2 })).toEqual(success);
    expect(testDevice.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect(testDevice.device.read(LocationName)).toBe('working');
    expect(testDevice.device.parameters.stored(LocationName)).toBe('stored');
    expect(await restored(testDevice, file, { Filter: 4 })).toEqual(success);
    expect(testDevice.device.read(LocationName)).not.toBe('working');
  });

  test('knows three parts, which no parameter is without and none is in twice; 0 is all of them', () => {
    const stored = allVariables.filter((variable) => variable.stored);
    for (const variable of stored) {
      expect(selectedBy(0)(variable)).toBe(true);
      expect(selectedBy(7)(variable)).toBe(true);
      expect([1, 2, 4].filter((bit) => selectedBy(bit)(variable)).length, variable.name).toBe(1);
    }
    for (const bit of [1, 2, 4]) expect(stored.some(selectedBy(bit))).toBe(true);
  });

  test('refuses a Filter of other bits with status 6, and tells no result of it', async () => {
    const testDevice = await TestDevice.open();
    await plainBackup(testDevice);
    for (const Filter of [8, 0xffff_ffff]) {
      await expect(testDevice.respond('RestoreParameterBackup', { Filter })).rejects.toMatchObject({
        status: 'outOfRange',
        at: 'Filter',
      });
    }
    expect(testDevice.device.features.backups.results.restored.Status).toBe(0);
  });

  test('is refused where a part of it does not go together with what stays', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.parameters.change((change) => change.set(EtherAuxIPPort, 3000));
    const file = await plainBackup(testDevice);
    // Partial files are handmade.
    const single = altered(file, (backup) => {
      for (const group of backup.parameters) {
        group.parameters = group.parameters.filter((entry) => entry.name === 'EtherAuxIPPort');
      }
    });
    testDevice.device.parameters.change((change) =>
      change.set(EtherHostIPPort, 3000).set(EtherAuxIPPort, 3001),
    );
    expect(await restored(testDevice, single)).toEqual(refusal(4, 'EtherAuxIPPort'));
    expect(testDevice.device.read(EtherAuxIPPort)).toBe(3001);
    await testDevice.respond('WriteEeprom');
    testDevice.device.parameters.change((change) => change.set(EtherHostIPPort, 3002));
    // It fits the values in force, but not the values of the next boot.
    expect(await restored(testDevice, single)).toEqual(refusal(4, 'EtherAuxIPPort'));
  });

  test('keeps parameters of another variant, and does not lose what that has stored', async () => {
    const full = await TestDevice.open();
    full.device.parameters.change((change) => change.set(imuDataOutput.members.ImuDataEnable, true));
    const file = await plainBackup(full);
    const basic = await TestDevice.open({ variant: 'basic' });
    expect(await restored(basic, file)).toEqual(success);
    expect(await restored(basic, await plainBackup(basic))).toEqual(success);
    const again = await basic.afterPowerCut({ variant: 'full' });
    expect(again.device.read(imuDataOutput.members.ImuDataEnable)).toBe(true);
  });

  test('touches neither passwords nor switches of user levels', async () => {
    const testDevice = await TestDevice.open();
    const file = await plainBackup(testDevice);
    await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
    await testDevice.device.features.webserver.set(false);
    await testDevice.context.credentials.setPassword('Service', 'another');
    expect(await restored(testDevice, file)).toEqual(success);
    expect(testDevice.context.state.content.userLevels.AuthorizedClient).toBe(true);
    expect(testDevice.context.state.content.webserverEnabled).toBe(false);
    expect(testDevice.context.credentials.isFactoryRest('Service')).toBe(false);
    expect(testDevice.context.credentials.isFactoryLegacy('Service')).toBe(false);
    expect(file.toString()).not.toMatch(/salt|hash|password/i);
  });

  test('leaves the checksum over the parameters where it restores what is stored', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('WriteEeprom');
    const { LFTchecksum } = general.members;
    const before = testDevice.device.read(LFTchecksum);
    await restored(testDevice, await plainBackup(testDevice));
    expect(testDevice.device.read(LFTchecksum)).toEqual(before);
  });
});

describe('CreateParameterBackup', () => {
  test('responds with status 3 if the disk fails, and leaves the file before', async () => {
    const testDevice = await TestDevice.open();
    const file = await plainBackup(testDevice);
    name(testDevice, 'later');
    testDevice.storage.fail('parameterbackup', { once: true });
    await expect(testDevice.respond('CreateParameterBackup', {})).rejects.toMatchObject({
      status: 'internalServerError',
    });
    expect(testDevice.device.features.backups.results.created).toEqual({ Status: 1, Result: false });
    expect(await fileOf(testDevice)).toEqual(file);
    expect(await testDevice.respond('CreateParameterBackup', {})).toEqual({ Result: true });
  });

  test('and RestoreParameterBackup are pending until they are done, and forgotten at a boot', async () => {
    const testDevice = await TestDevice.open();
    const results = testDevice.device.features.backups.results;
    const never = { Status: 0, RestoreResult: 0, ParametersFailedToRestore: [] };
    expect([results.created, results.restored]).toEqual([{ Status: 0, Result: false }, never]);
    const gate = testDevice.storage.delay('parameterbackup');
    const created = testDevice.respond('CreateParameterBackup', {});
    await expect.poll(() => testDevice.storage.begun.at(-1)).toBe('parameterbackup');
    expect(results.created).toEqual({ Status: 0, Result: false });
    gate.open();
    await created;
    expect(results.created).toEqual({ Status: 1, Result: true });
    await testDevice.respond('RestoreParameterBackup', { Passphrase: 'x' });
    expect(results.restored).toEqual({ Status: 1, RestoreResult: 7, ParametersFailedToRestore: [] });
    await testDevice.reboot();
    expect([results.created, results.restored]).toEqual([{ Status: 0, Result: false }, never]);
  });

  test('takes turns with restores: neither sees half of the other', async () => {
    const testDevice = await TestDevice.open();
    const gate = testDevice.storage.delay('parameterbackup');
    const done: string[] = [];
    const note = (what: string) => () => done.push(what);
    const all = [
      testDevice.respond('CreateParameterBackup', {}).then(note('created')),
      testDevice.respond('RestoreParameterBackup', {}).then(note('restored')),
      testDevice.device.features.backups.receive(Buffer.from('{}')).then(note('taken')),
    ];
    gate.open();
    await Promise.all(all);
    expect(done).toEqual(['created', 'restored', 'taken']);
  });
});
