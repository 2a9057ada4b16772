import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { allParameters, device as deviceGroup, levelNames } from '@azimuth/model';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { BackupSlot } from '../../src/backup-restore/parameter-backups.js';
import { FolderStorage } from '../../src/index.js';
import { Documents } from '../../src/storage/documents.js';
import { endsAndSample, withBitFlipped } from '../samples.js';
import { altered, fileOf, idOf, type PlainBackup, plainBackup, refusal, restored, success } from './files.js';

const { LocationName } = deviceGroup.members;

async function jsonOf(testDevice: TestDevice): Promise<PlainBackup> {
  let content: PlainBackup | undefined;
  altered(await plainBackup(testDevice), (backup) => {
    content = backup;
  });
  if (content === undefined) throw new Error('no content');
  return content;
}

describe('a backup file', () => {
  test('has the four members of the specification, and names device, scanner and release', async () => {
    const json = await jsonOf(await TestDevice.open({ release: '2.3.1' }));
    expect(Object.keys(json)).toEqual([
      'version',
      'device identification',
      'serial number',
      'checksum',
      'parameters',
    ]);
    expect(json['serial number']).toBe('12345678');
    expect(json.version).toBe('2.3.1.0R');
    expect(json['device identification']).toBe((await TestDevice.open()).device.identity.name);
    expect(json.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  test('holds every stored variable once, under its id, by the level that may write it', async () => {
    const testDevice = await TestDevice.open();
    const json = await jsonOf(testDevice);
    const entries = json.parameters.flatMap(({ userlevel, parameters }) =>
      parameters.map((entry) => ({ userlevel, ...entry })),
    );
    const expected = allParameters.filter((variable) => testDevice.device.parameters.has(variable));
    expect(expected.length).toBeGreaterThan(50);
    expect(entries.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort());
    for (const { name, id, userlevel } of entries) {
      expect(id).toBe(idOf(name));
      const { write = 'Service' } = expected.find((variable) => variable.name === name)?.facts ?? {};
      expect(userlevel).toBe(write);
    }
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(json.parameters.every(({ userlevel }) => levelNames.some((name) => name === userlevel))).toBe(
      true,
    );
  });

  test('has values that are integers, booleans, strings, objects or numbers: an array stands in an object', async () => {
    const json = await jsonOf(await TestDevice.open());
    const entries = json.parameters.flatMap(({ parameters }) => parameters);
    for (const { name, value } of entries) {
      expect(['number', 'boolean', 'string', 'object'], name).toContain(typeof value);
      expect(Array.isArray(value), name).toBe(false);
    }
    const address = entries.find(({ name }) => name === 'EtherIPAddress');
    expect(address?.value).toEqual({ items: [192, 168, 0, 1] });
  });

  test('takes the working values, saved or not', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.parameters.change((change) => change.set(LocationName, 'Gate ü 3'));
    const json = await jsonOf(testDevice);
    const entry = json.parameters
      .flatMap(({ parameters }) => parameters)
      .find(({ name }) => name === 'LocationName');
    expect(entry?.value).toBe('Gate ü 3');
    expect(testDevice.device.parameters.stored(LocationName)).not.toBe('Gate ü 3');
  });

  test('has a checksum that others can make from the documentation', async () => {
    const testDevice = await TestDevice.open();
    const file = await plainBackup(testDevice);
    expect(
      await restored(
        testDevice,
        altered(file, () => undefined),
      ),
    ).toEqual(success);
  });

  test('is readable by the owner alone', async () => {
    const folder = temporaryFolder();
    const storage = await FolderStorage.open(folder);
    const slot = new BackupSlot(new Documents(storage, new LogBook()));
    await slot.replace(Buffer.from('{}'));
    await storage.close();
    expect(lstatSync(join(folder, 'parameterbackup')).mode & 0o777).toBe(0o600);
  });

  test('outlives a power cut', async () => {
    const testDevice = await TestDevice.open();
    const file = await plainBackup(testDevice);
    expect(await fileOf(await testDevice.afterPowerCut())).toEqual(file);
  });

  test('is refused with a bit flipped', async () => {
    const testDevice = await TestDevice.open({ variant: 'basic' });
    testDevice.device.parameters.change((change) => change.set(LocationName, 'Tor ü'));
    const file = await plainBackup(testDevice);
    const taken: string[] = [];
    for (const bit of endsAndSample(file.length * 8, 400, 163)) {
      const response = await restored(testDevice, withBitFlipped(file, bit));
      if (JSON.stringify(response) === JSON.stringify(success)) taken.push(`bit ${bit}`);
    }
    expect(taken).toEqual([]);
    expect(testDevice.device.read(LocationName)).toBe('Tor ü');
  });

  test('is refused when it is cut off anywhere', async () => {
    const testDevice = await TestDevice.open({ variant: 'basic' });
    const file = await plainBackup(testDevice);
    for (let length = 1; length < file.length - 1; length += 97) {
      expect(await restored(testDevice, file.subarray(0, length))).toEqual(refusal(2));
    }
  });

  test('is not even read where it is a hundred times as long as any that a scanner writes', async () => {
    const testDevice = await TestDevice.open({ variant: 'basic' });
    const withNote = (length: number) =>
      plainBackup(testDevice).then((file) =>
        altered(file, (backup) => {
          Object.assign(backup, { note: 'x'.repeat(length) });
        }),
      );
    expect(await restored(testDevice, await withNote(1000))).toEqual(success);
    expect(await restored(testDevice, await withNote(1024 * 1024))).toEqual(refusal(2));
  });
});
