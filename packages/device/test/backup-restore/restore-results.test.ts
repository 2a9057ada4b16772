import { device as deviceGroup } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import {
  altered,
  idOf,
  type PlainBackup,
  plainBackup,
  refusal,
  restored,
  success,
  withChecksum,
} from './files.js';

const { LocationName } = deviceGroup.members;

/** A scanner with a backup of factory state that has been changed since, and the file. */
async function changedSince(
  facts: Parameters<typeof TestDevice.open>[0] = {},
): Promise<[TestDevice, Buffer]> {
  const testDevice = await TestDevice.open(facts);
  const file = await plainBackup(testDevice);
  testDevice.device.parameters.change((change) => change.set(LocationName, 'changed since'));
  await testDevice.respond('WriteEeprom');
  return [testDevice, file];
}

/** Restores an altered file, and expects a refusal that changes nothing. */
async function expectRefusal(
  alter: (backup: PlainBackup) => void,
  result: number,
  ...failed: string[]
): Promise<void> {
  const [testDevice, file] = await changedSince();
  const before = Buffer.from((await testDevice.storage.read('parameters.json')) ?? []);
  const response = await restored(testDevice, altered(file, alter));
  expect(response).toEqual(refusal(result, ...failed));
  expect(await testDevice.respond('RestoreParameterBackup', {})).toEqual(response);
  expect(testDevice.device.read(LocationName)).toBe('changed since');
  expect(Buffer.from((await testDevice.storage.read('parameters.json')) ?? [])).toEqual(before);
}

function entryOf(backup: PlainBackup, name: string): PlainBackup['parameters'][number]['parameters'][number] {
  const entry = backup.parameters.flatMap(({ parameters }) => parameters).find((each) => each.name === name);
  if (entry === undefined) throw new Error(`no entry ${name}`);
  return entry;
}

describe('RestoreParameterBackup returns', () => {
  test('0 when all was restored', async () => {
    const [testDevice, file] = await changedSince();
    expect(await restored(testDevice, file)).toEqual(success);
    expect(testDevice.device.read(LocationName)).not.toBe('changed since');
  });

  test('1 for a checksum of another content, of another length, or in capitals', async () => {
    const [testDevice, file] = await changedSince();
    const text = file.toString();
    const [, checksum = ''] = /"checksum": "(\w+)"/.exec(text) ?? [];
    for (const wrong of [
      text.replace('"EtherDHCPFallback"', '"EtherDHCPfallback"'),
      text.replace(checksum, checksum.toUpperCase()),
      text.replace(checksum, checksum.slice(1)),
      text.replace(checksum, ''),
      text.replace('{', '{ '),
    ]) {
      expect(wrong).not.toBe(text);
      expect(await restored(testDevice, Buffer.from(wrong))).toEqual(refusal(1));
    }
  });

  test('2 if the file is not a JSON object', async () => {
    const [testDevice] = await changedSince();
    for (const wrong of ['', ' ', 'null', '[]', '"text"', '{', '{}', 'PK\u0003\u0004', '['.repeat(100_000)]) {
      expect(await restored(testDevice, Buffer.from(wrong)), wrong.slice(0, 10)).toEqual(refusal(2));
    }
    expect(await restored(testDevice, Buffer.of(0xff, 0xfe, 0x7b, 0x7d))).toEqual(refusal(2));
  });

  test.each([
    ['a member of the file', { version: undefined }],
    ['a device identification', { 'device identification': undefined }],
    ['parameters', { parameters: undefined }],
    ['an array of parameters', { parameters: {} }],
    ['objects among the groups', { parameters: [null] }],
    ['a known user level', { parameters: [{ userlevel: 'Root', parameters: [] }] }],
    ['a user level that is a text', { parameters: [{ userlevel: 4, parameters: [] }] }],
    ['an array in the group', { parameters: [{ userlevel: 'Service', parameters: 1 }] }],
    ['objects among the entries', { parameters: [{ userlevel: 'Service', parameters: ['x'] }] }],
    ['a name', { parameters: [{ userlevel: 'Service', parameters: [{ id: '', value: 1 }] }] }],
    ['an id', { parameters: [{ userlevel: 'Service', parameters: [{ name: 'x', value: 1 }] }] }],
    ['a value', { parameters: [{ userlevel: 'Service', parameters: [{ name: 'x', id: '' }] }] }],
  ])('2 where %s is wanting', async (_, wrong) => {
    await expectRefusal((backup) => Object.assign(backup, wrong), 2);
  });

  test('3 for another device type', async () => {
    await expectRefusal((backup) => Object.assign(backup, { 'device identification': 'LMS500' }), 3);
  });

  test('4 for parameters that cannot be restored, each by its name, and takes none of the others', async () => {
    await expectRefusal(
      (backup) => {
        entryOf(backup, 'LocationName').value = 'x'.repeat(33);
        entryOf(backup, 'EtherIPAddress').value = { items: [192, 168, 0] };
        entryOf(backup, 'EtherAddressingMode').value = 7;
        backup.parameters[0]?.parameters.push({ name: 'Unheard', id: idOf('Unheard'), value: 1 });
      },
      4,
      ...['Unheard', 'LocationName', 'EtherIPAddress', 'EtherAddressingMode'],
    );
  });

  test('4 for an id of another name, a name that occurs twice, and a variable that is not a parameter', async () => {
    await expectRefusal(
      (backup) => Object.assign(entryOf(backup, 'LocationName'), { id: '00000000' }),
      4,
      'LocationName',
    );
    await expectRefusal(
      (backup) => backup.parameters[0]?.parameters.push(entryOf(backup, 'LocationName')),
      4,
      'LocationName',
    );
    await expectRefusal(
      (backup) =>
        backup.parameters[0]?.parameters.push({ name: 'SerialNumber', id: idOf('SerialNumber'), value: '1' }),
      4,
      'SerialNumber',
    );
  });

  test('4 for values that do not go together', async () => {
    await expectRefusal(
      (backup) => Object.assign(entryOf(backup, 'EtherAuxIPPort'), { value: 2112 }),
      4,
      'EtherAuxIPPort',
    );
  });

  test('4 with the first 100 names, cut to 256 characters', async () => {
    const [testDevice, file] = await changedSince();
    const names = Array.from({ length: 150 }, (_, index) => `${index}`.padStart(300, 'x'));
    const wrong = altered(file, (backup) => {
      backup.parameters[0]?.parameters.push(...names.map((name) => ({ name, id: idOf(name), value: 1 })));
    });
    const response = await restored(testDevice, wrong);
    expect(response).toEqual(refusal(4, ...names.slice(0, 100).map((name) => name.slice(0, 256))));
  });

  test('5 if no file was made or transferred', async () => {
    const testDevice = await TestDevice.open();
    expect(await testDevice.respond('RestoreParameterBackup', {})).toEqual(refusal(5));
  });

  test('6, 7 and 8 for a container under another passphrase, for none, and for one that is cut off', async () => {
    const [testDevice, file] = await changedSince();
    expect(await restored(testDevice, file, { Passphrase: 'secret' })).toEqual(refusal(7));
    await testDevice.respond('CreateParameterBackup', { Passphrase: 'secret' });
    const container = Buffer.from((await testDevice.device.features.backups.file()) ?? []);
    expect(await restored(testDevice, container, { Passphrase: 'Secret' })).toEqual(refusal(6));
    expect(await restored(testDevice, container.subarray(0, -1), { Passphrase: 'secret' })).toEqual(
      refusal(8),
    );
  });

  test('9 if the disk fails, and nothing has changed', async () => {
    const [testDevice, file] = await changedSince();
    await testDevice.device.features.backups.receive(file);
    testDevice.storage.fail('parameters.json', { once: true });
    expect(await testDevice.respond('RestoreParameterBackup', {})).toEqual(refusal(9));
    expect(testDevice.device.read(LocationName)).toBe('changed since');
    expect(testDevice.device.parameters.stored(LocationName)).toBe('changed since');
    expect(await testDevice.respond('RestoreParameterBackup', {})).toEqual(success);
  });

  test('9 where the file cannot be read', async () => {
    const [testDevice] = await changedSince();
    const after = await testDevice.afterPowerCut();
    after.storage.failRead('parameterbackup');
    expect(await after.respond('RestoreParameterBackup', {})).toEqual(refusal(9));
  });

  test('10 for a newer release, an unknown one, and what is no version', async () => {
    const [testDevice, file] = await changedSince({ release: '2.3.1' });
    for (const version of ['2.4.4.0R', '9.9.9.0R', '2.3.1', '']) {
      expect(
        await restored(
          testDevice,
          altered(file, (backup) => Object.assign(backup, { version })),
        ),
      ).toEqual(refusal(10));
    }
    expect(testDevice.device.read(LocationName)).toBe('changed since');
  });

  test('its reasons in the log, and there neither a passphrase nor a value', async () => {
    const [testDevice, file] = await changedSince();
    const wrong = altered(file, (backup) =>
      Object.assign(entryOf(backup, 'LocationName'), { value: 's3cret'.repeat(9) }),
    );
    await restored(testDevice, wrong, { Passphrase: '' });
    await restored(testDevice, wrong, { Passphrase: 'hush hush' });
    const log = JSON.stringify(testDevice.log);
    expect(log).toContain('UpdateRepositoryError');
    expect(log).toContain('DecryptionHeaderError');
    expect(log).not.toContain('s3cret');
    expect(log).not.toContain('hush');
  });

  test('nothing of an empty backup but success', async () => {
    const [testDevice, file] = await changedSince();
    const empty = withChecksum({ ...JSON.parse(file.toString()), parameters: [] });
    expect(await restored(testDevice, empty)).toEqual(success);
    expect(testDevice.device.read(LocationName)).toBe('changed since');
  });
});
