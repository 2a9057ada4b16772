import { isObject, Refusal } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { TestDevice } from '@azimuth/test-support/test-device';
import { unzip } from '@azimuth/test-support/unzip';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';
import { MemoryStorage } from '../../src/index.js';

const dumpName = 'diagnosisDump.zip';
const suspended = 4;
const normal = 3;
const done = { Successfull: true, Successful: true };

/** The archive under a name, unpacked. */
async function unpacked({ device }: TestDevice, name = dumpName): Promise<ReadonlyMap<string, string>> {
  const archive = await device.features.diagnosis.file(name);
  if (archive === undefined) throw new Error(`there is no ${name}`);
  return unzip(archive);
}

async function json(testDevice: TestDevice, file: string): Promise<Record<string, unknown>> {
  const content: unknown = JSON.parse((await unpacked(testDevice)).get(file) ?? '');
  if (!isObject(content)) throw new Error(`${file} is no object`);
  return content;
}

describe('a diagnostic archive', () => {
  it('is none before one was made', async () => {
    const testDevice = await TestDevice.open();
    expect(await testDevice.respond('GetDiagnosisDumpInfo')).toEqual({
      DiagDumpExists: false,
      DiagDumpTimestamp: 0,
    });
    expect(await testDevice.device.features.diagnosis.file(dumpName)).toBeUndefined();
  });

  it('returns both spellings, and the time at which it was made in seconds of the device clock', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.features.synchronisation.time.set({
      uiYear: 2031,
      usiMonth: 2,
      usiDay: 3,
      usiHour: 4,
      usiMinute: 5,
      usiSec: 6,
      udiUSec: 999_999,
    });
    const seconds = Math.floor(testDevice.device.features.synchronisation.time.utc / 1000);
    expect(await testDevice.respond('DoDiagnosisDump', {})).toEqual(done);
    expect(await testDevice.respond('GetDiagnosisDumpInfo')).toEqual({
      DiagDumpExists: true,
      DiagDumpTimestamp: seconds,
    });
  });

  it('holds status, values, parameters, network, versions, description and the log', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.hardware.log.warn('Something odd', { where: 'here' });
    await testDevice.respond('DoDiagnosisDump', {});
    const files = await unpacked(testDevice);
    expect([...files.keys()].sort()).toEqual([
      'README.txt',
      'detection-history.json',
      'log.ndjson',
      'network.json',
      'openapi.json',
      'operating-data.json',
      'parameters.json',
      'status.json',
      'variables.json',
      'versions.json',
    ]);
    for (const name of files.keys()) {
      if (name !== 'README.txt') expect(files.get('README.txt')).toContain(name);
    }
    expect(await json(testDevice, 'status.json')).toMatchObject({
      DeviceStatus: { number: 3, name: 'DS_NormalOperation' },
      lostDocuments: [],
      temperatureCelsius: 32.5,
    });
    expect(await json(testDevice, 'versions.json')).toMatchObject({
      serialNumber: '12345678',
      release: '2.4.4',
      variant: 'full',
    });
    expect(await json(testDevice, 'openapi.json')).toMatchObject({ openapi: '3.1.0' });
    expect(await json(testDevice, 'operating-data.json')).toMatchObject({ PowerOnCnt: 1 });
    expect(await json(testDevice, 'network.json')).toMatchObject({ reachable: { source: 'static' } });
    expect(files.get('log.ndjson')).toContain('"where":"here"');
    expect(JSON.parse(files.get('detection-history.json') ?? '')).toEqual([]);
  });

  it('contains working, stored and factory values separately', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('WriteEeprom');
    const name = [...testDevice.device.served.endpoints.values()].find(
      (endpoint) => endpoint.name === 'LocationName',
    );
    if (name?.kind !== 'variable') throw new Error('there is no LocationName');
    testDevice.device.write(name, 'Gate 3', { level: 'Service' });
    await testDevice.respond('DoDiagnosisDump', {});
    expect(await json(testDevice, 'parameters.json')).toMatchObject({
      working: { LocationName: 'Gate 3' },
      stored: { LocationName: 'not defined' },
      factory: { LocationName: 'not defined' },
    });
    expect(await json(testDevice, 'variables.json')).toMatchObject({ LocationName: 'Gate 3' });
  });

  it('lists the lost documents, and the reasons for DeviceStatus', async () => {
    const storage = new FaultyStorage();
    await TestDevice.open({}, storage);
    storage.documents.set('parameters.json', Buffer.from('{'));
    const testDevice = await TestDevice.open({}, storage);
    await testDevice.respond('DoDiagnosisDump', {});
    expect(await json(testDevice, 'status.json')).toMatchObject({
      DeviceStatus: { number: 7, name: 'DS_RecoverableError' },
      conditions: { DS_RecoverableError: [expect.any(String)] },
      lostDocuments: [{ document: 'parameters.json', setAside: 'parameters.json.unreadable' }],
      allStoredCouldBeRead: false,
    });
  });

  it('outlives a power cut with its time and its second name', async () => {
    const before = await TestDevice.open();
    await before.respond('DoDiagnosisDump', { Output: 'Halle Süd (2).zip' });
    const info = await before.respond('GetDiagnosisDumpInfo');
    const after = await before.afterPowerCut();
    expect(await after.respond('GetDiagnosisDumpInfo')).toEqual(info);
    expect(await unpacked(after, 'Halle Süd (2).zip')).toEqual(await unpacked(after));
  });

  it('replaces the one before, and its second name', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('DoDiagnosisDump', { Output: 'one.zip' });
    testDevice.clock.advance(5000);
    await testDevice.respond('DoDiagnosisDump', { Output: 'two.zip' });
    expect(await testDevice.device.features.diagnosis.file('one.zip')).toBeUndefined();
    expect(await unpacked(testDevice, 'two.zip')).toEqual(await unpacked(testDevice));
    expect([...testDevice.storage.documents.keys()].filter((name) => name.includes('zip'))).toEqual([
      dumpName,
    ]);
  });
});

describe('a name that is not a plain file name', () => {
  it.each(['../x.zip', 'a/b', 'a\\b', '/etc/passwd', '.', '..', '.hidden', 'C:x', 'a%2fb', ' x'])(
    'makes no archive, and returns false: %j',
    async (Output) => {
      const testDevice = await TestDevice.open();
      await testDevice.respond('DoDiagnosisDump', {});
      const before = await testDevice.device.features.diagnosis.file(dumpName);
      expect(await testDevice.respond('DoDiagnosisDump', { Output })).toEqual({
        Successfull: false,
        Successful: false,
      });
      expect(await testDevice.device.features.diagnosis.file(dumpName)).toBe(before);
      expect(await testDevice.device.features.diagnosis.file(Output)).toBeUndefined();
    },
  );

  it('may have 64 characters and no more', async () => {
    const testDevice = await TestDevice.open();
    expect(await testDevice.respond('DoDiagnosisDump', { Output: 'x'.repeat(64) })).toEqual(done);
    await expect(testDevice.respond('DoDiagnosisDump', { Output: 'x'.repeat(65) })).rejects.toMatchObject({
      code: 7,
    });
  });
});

describe('DoRunlevelLoop', () => {
  it('suspends measuring until the archive is on disk', async () => {
    const testDevice = await TestDevice.open();
    const gate = testDevice.storage.delay(dumpName);
    const { begun } = testDevice.storage;
    const made = testDevice.respond('DoDiagnosisDump', { DoRunlevelLoop: true });
    while (!begun.includes(dumpName)) await promisesSettled();
    expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(suspended);
    gate.open();
    expect(await made).toEqual(done);
    expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(normal);
  });

  it('does not suspend measuring unless it is requested', async () => {
    const testDevice = await TestDevice.open();
    const gate = testDevice.storage.delay(dumpName);
    const made = testDevice.respond('DoDiagnosisDump', {});
    while (!testDevice.storage.begun.includes(dumpName)) await promisesSettled();
    expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(normal);
    gate.open();
    await made;
  });

  it('continues measuring if the archive cannot be stored', async () => {
    const testDevice = await TestDevice.open();
    testDevice.storage.fail(dumpName);
    await expect(testDevice.respond('DoDiagnosisDump', { DoRunlevelLoop: true })).rejects.toThrow(Refusal);
    expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(normal);
  });
});

describe('trouble', () => {
  it('on a full disk is status 3 with a remedy, and the old archive stays complete', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('DoDiagnosisDump', { Output: 'old.zip' });
    const old = await testDevice.device.features.diagnosis.file('old.zip');
    testDevice.storage.fail(dumpName);
    await expect(testDevice.respond('DoDiagnosisDump', { Output: 'new.zip' })).rejects.toMatchObject({
      code: 3,
      reason: expect.stringContaining('make room there'),
    });
    expect(await testDevice.device.features.diagnosis.file(dumpName)).toBe(old);
    expect(await testDevice.device.features.diagnosis.file('new.zip')).toBeUndefined();
    testDevice.storage.recover();
    expect(await testDevice.respond('DoDiagnosisDump', { Output: 'new.zip' })).toEqual(done);
  });

  it('of two calls at once is none: they take turns', async () => {
    const testDevice = await TestDevice.open();
    const gate = testDevice.storage.delay(dumpName);
    const first = testDevice.respond('DoDiagnosisDump', { Output: 'one.zip' });
    const second = testDevice.respond('DoDiagnosisDump', { Output: 'two.zip' });
    while (!testDevice.storage.begun.includes(dumpName)) await promisesSettled();
    await promisesSettled();
    expect(testDevice.storage.begun.filter((name) => name === dumpName)).toHaveLength(1);
    gate.open();
    expect([await first, await second]).toEqual([done, done]);
    expect(await testDevice.device.features.diagnosis.file('two.zip')).toBeDefined();
    expect(await testDevice.device.features.diagnosis.file('one.zip')).toBeUndefined();
  });

  it('with what is kept (cut off, altered, not ours) sets it aside, and tells it until a new one is made', async () => {
    const intact = await TestDevice.open();
    await intact.respond('DoDiagnosisDump', { Output: 'mine.zip' });
    const archive = intact.storage.documents.get(dumpName) ?? new Uint8Array();
    for (const bytes of [archive.subarray(0, -3), Buffer.from('PK'), Buffer.alloc(0), Buffer.alloc(4000)]) {
      const storage = new FaultyStorage(intact.storage.documents);
      storage.documents.set(dumpName, bytes);
      const testDevice = await TestDevice.open({}, storage);
      expect(await testDevice.respond('GetDiagnosisDumpInfo')).toMatchObject({ DiagDumpExists: false });
      expect(await testDevice.device.features.diagnosis.file(dumpName)).toBeUndefined();
      expect([...(storage.documents.get(`${dumpName}.unreadable`) ?? [1])]).toEqual([...bytes]);
      expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(7);
      await testDevice.respond('DoDiagnosisDump', {});
      expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(normal);
    }
  });

  it('of a read that a new archive overtakes is none: both are whole', async () => {
    const before = await TestDevice.open();
    await before.respond('DoDiagnosisDump', { Output: 'old.zip' });
    const testDevice = await before.afterPowerCut();
    const gate = testDevice.storage.delayRead(dumpName);
    const reading = testDevice.device.features.diagnosis.file(dumpName);
    await testDevice.respond('DoDiagnosisDump', { Output: 'new.zip' });
    gate.open();
    await unzip((await reading) ?? new Uint8Array());
    expect(await testDevice.device.features.diagnosis.file('new.zip')).toBeDefined();
    expect(await testDevice.device.features.diagnosis.file('old.zip')).toBeUndefined();
  });
});

it('a storage in memory has no links', async () => {
  const storage = new MemoryStorage();
  await storage.write(dumpName, Buffer.from('x'));
  expect(await storage.read(dumpName)).toEqual(Uint8Array.from(Buffer.from('x')));
});
