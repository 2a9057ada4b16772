import {
  allVariables,
  device as deviceGroup,
  ethernet,
  general,
  imuDataOutput,
  legacyProtocols,
  operatingData,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';
import { selectedBy } from '../../src/backup-restore/restore-plan.js';
import { altered, fileOf, plainBackup, refusal, restored, success } from './files.js';

const { LocationName } = deviceGroup.members;
const { EtherIPAddress } = ethernet.members;
const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

function name(bench: Bench, location: string): void {
  bench.device.parameters.change((change) => change.set(LocationName, location));
}

describe('a restore', () => {
  test('is in force and stored before the answer, without a reboot, and sets the date of the last save', async () => {
    const bench = await Bench.open();
    name(bench, 'in the backup');
    const file = await plainBackup(bench);
    name(bench, 'later');
    await bench.respond('WriteEeprom');
    bench.clock.advance(3 * 86_400_000);
    const before = bench.device.read(operatingData.members.LastParaDate);
    expect(await restored(bench, file)).toEqual(success);
    expect(bench.device.lifecycle.phase).toBe('up');
    expect(bench.device.read(LocationName)).toBe('in the backup');
    expect(bench.device.read(operatingData.members.LastParaDate)).not.toBe(before);
    expect((await bench.afterPowerCut()).device.read(LocationName)).toBe('in the backup');
  });

  test('restores the file made last, where none was transferred since', async () => {
    const bench = await Bench.open();
    name(bench, 'one');
    await bench.respond('CreateParameterBackup', {});
    name(bench, 'two');
    expect(await bench.respond('RestoreParameterBackup', {})).toEqual(success);
    expect(bench.device.read(LocationName)).toBe('one');
  });

  test('announces everything that has changed once, and together', async () => {
    const bench = await Bench.open();
    const file = await plainBackup(bench);
    name(bench, 'later');
    bench.device.parameters.change((change) => change.set(EtherIPAddress, [10, 0, 0, 7]));
    const heard: string[][] = [];
    bench.device.announcements.subscribe((changed) => {
      heard.push(changed.map((variable) => variable.name));
      // Whoever listens finds all of it.
      if (changed.includes(LocationName)) expect(bench.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    });
    await restored(bench, file);
    const told = heard.filter((names) => names.includes('LocationName') || names.includes('EtherIPAddress'));
    expect(told).toEqual([['LocationName', 'EtherIPAddress']]);
  });

  test('is nothing until the disk has it: readers find the old values while it is written', async () => {
    const bench = await Bench.open();
    const file = await plainBackup(bench);
    name(bench, 'later');
    const gate = bench.storage.delay('parameters.json');
    const answer = restored(bench, file);
    await expect.poll(() => bench.storage.begun.at(-1)).toBe('parameters.json');
    expect(bench.device.read(LocationName)).toBe('later');
    gate.open();
    expect(await answer).toEqual(success);
    expect(bench.device.read(LocationName)).not.toBe('later');
  });

  test('is all or nothing after a power cut', async () => {
    const bench = await Bench.open();
    name(bench, 'old');
    await bench.respond('WriteEeprom');
    name(bench, 'in the backup');
    const file = await plainBackup(bench);
    await bench.device.backups.take(file);
    bench.storage.die('parameters.json');
    void bench.respond('RestoreParameterBackup', {});
    await expect.poll(() => bench.storage.begun.at(-1)).toBe('parameters.json');
    const after = await bench.afterPowerCut();
    expect(after.device.read(LocationName)).toBe('old');
    expect(await after.respond('RestoreParameterBackup', {})).toEqual(success);
    expect(after.device.read(LocationName)).toBe('in the backup');
  });

  test('takes over the parts that Filter names, and leaves the others alone, working and stored', async () => {
    const bench = await Bench.open();
    const file = await plainBackup(bench);
    name(bench, 'stored');
    await bench.respond('WriteEeprom');
    name(bench, 'working');
    bench.device.parameters.change((change) => change.set(EtherIPAddress, [10, 0, 0, 7]));
    expect(await restored(bench, file, { Filter: 2 })).toEqual(success);
    expect(bench.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect(bench.device.read(LocationName)).toBe('working');
    expect(bench.device.parameters.stored(LocationName)).toBe('stored');
    expect(await restored(bench, file, { Filter: 4 })).toEqual(success);
    expect(bench.device.read(LocationName)).not.toBe('working');
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
    const bench = await Bench.open();
    await plainBackup(bench);
    for (const Filter of [8, 0xffff_ffff]) {
      await expect(bench.respond('RestoreParameterBackup', { Filter })).rejects.toMatchObject({
        status: 'outOfRange',
        at: 'Filter',
      });
    }
    expect(bench.device.backupResults.restored.Status).toBe(0);
  });

  test('is refused where a part of it does not go together with what stays', async () => {
    const bench = await Bench.open();
    bench.device.parameters.change((change) => change.set(EtherAuxIPPort, 3000));
    const file = await plainBackup(bench);
    // Partial files come from those who make their own.
    const lone = altered(file, (backup) => {
      for (const group of backup.parameters) {
        group.parameters = group.parameters.filter((entry) => entry.name === 'EtherAuxIPPort');
      }
    });
    bench.device.parameters.change((change) => change.set(EtherHostIPPort, 3000).set(EtherAuxIPPort, 3001));
    expect(await restored(bench, lone)).toEqual(refusal(4, 'EtherAuxIPPort'));
    expect(bench.device.read(EtherAuxIPPort)).toBe(3001);
    await bench.respond('WriteEeprom');
    bench.device.parameters.change((change) => change.set(EtherHostIPPort, 3002));
    // It goes together with what is in force, and not with what a boot would load.
    expect(await restored(bench, lone)).toEqual(refusal(4, 'EtherAuxIPPort'));
  });

  test('keeps parameters of another variant, and does not lose what that has stored', async () => {
    const full = await Bench.open();
    full.device.parameters.change((change) => change.set(imuDataOutput.members.ImuDataEnable, true));
    const file = await plainBackup(full);
    const core = await Bench.open({ variant: 'core' });
    expect(await restored(core, file)).toEqual(success);
    expect(await restored(core, await plainBackup(core))).toEqual(success);
    const again = await core.afterPowerCut({ variant: 'full' });
    expect(again.device.read(imuDataOutput.members.ImuDataEnable)).toBe(true);
  });

  test('touches neither passwords nor switches of user levels', async () => {
    const bench = await Bench.open();
    const file = await plainBackup(bench);
    await bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
    await bench.device.webserver.set(false);
    await bench.device.credentials.setPassword('Service', 'another');
    expect(await restored(bench, file)).toEqual(success);
    expect(bench.device.state.content.userLevels.AuthorizedClient).toBe(true);
    expect(bench.device.state.content.webserverEnabled).toBe(false);
    expect(bench.device.credentials.isFactoryRest('Service')).toBe(false);
    expect(bench.device.credentials.isFactoryLegacy('Service')).toBe(false);
    expect(file.toString()).not.toMatch(/salt|hash|password/i);
  });

  test('leaves the checksum over the parameters where it restores what is stored', async () => {
    const bench = await Bench.open();
    await bench.respond('WriteEeprom');
    const { LFTchecksum } = general.members;
    const before = bench.device.read(LFTchecksum);
    await restored(bench, await plainBackup(bench));
    expect(bench.device.read(LFTchecksum)).toEqual(before);
  });
});

describe('CreateParameterBackup', () => {
  test('answers status 3 where the disk fails, and leaves the file before', async () => {
    const bench = await Bench.open();
    const file = await plainBackup(bench);
    name(bench, 'later');
    bench.storage.fail('parameterbackup', { once: true });
    await expect(bench.respond('CreateParameterBackup', {})).rejects.toMatchObject({
      status: 'internalServerError',
    });
    expect(bench.device.backupResults.created).toEqual({ Status: 1, Result: false });
    expect(await fileOf(bench)).toEqual(file);
    expect(await bench.respond('CreateParameterBackup', {})).toEqual({ Result: true });
  });

  test('and RestoreParameterBackup are pending until they are done, and forgotten at a boot', async () => {
    const bench = await Bench.open();
    const results = bench.device.backupResults;
    const never = { Status: 0, RestoreResult: 0, ParametersFailedToRestore: [] };
    expect([results.created, results.restored]).toEqual([{ Status: 0, Result: false }, never]);
    const gate = bench.storage.delay('parameterbackup');
    const created = bench.respond('CreateParameterBackup', {});
    await expect.poll(() => bench.storage.begun.at(-1)).toBe('parameterbackup');
    expect(results.created).toEqual({ Status: 0, Result: false });
    gate.open();
    await created;
    expect(results.created).toEqual({ Status: 1, Result: true });
    await bench.respond('RestoreParameterBackup', { Passphrase: 'x' });
    expect(results.restored).toEqual({ Status: 1, RestoreResult: 7, ParametersFailedToRestore: [] });
    await bench.reboot();
    expect([results.created, results.restored]).toEqual([{ Status: 0, Result: false }, never]);
  });

  test('takes turns with restores: neither sees half of the other', async () => {
    const bench = await Bench.open();
    const gate = bench.storage.delay('parameterbackup');
    const done: string[] = [];
    const note = (what: string) => () => done.push(what);
    const all = [
      bench.respond('CreateParameterBackup', {}).then(note('created')),
      bench.respond('RestoreParameterBackup', {}).then(note('restored')),
      bench.device.backups.take(Buffer.from('{}')).then(note('taken')),
    ];
    gate.open();
    await Promise.all(all);
    expect(done).toEqual(['created', 'restored', 'taken']);
  });
});
