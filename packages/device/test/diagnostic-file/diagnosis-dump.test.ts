import { Fault, isObject } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';
import { FaultyStorage } from '../../../../tests/support/faulty-storage.js';
import { unzip } from '../../../../tests/support/unzip.js';
import { settled } from '../../../../tests/support/waiting.js';
import { MemoryStorage } from '../../src/index.js';

const dumpName = 'diagnosisDump.zip';
const suspended = 4;
const normal = 3;
const done = { Successfull: true, Successful: true };

/** The archive under a name, unpacked. */
async function unpacked({ device }: Bench, name = dumpName): Promise<ReadonlyMap<string, string>> {
  const archive = await device.diagnosis.file(name);
  if (archive === undefined) throw new Error(`there is no ${name}`);
  return unzip(archive);
}

async function json(bench: Bench, file: string): Promise<Record<string, unknown>> {
  const content: unknown = JSON.parse((await unpacked(bench)).get(file) ?? '');
  if (!isObject(content)) throw new Error(`${file} is no object`);
  return content;
}

describe('a diagnostic archive', () => {
  it('is none before one was made', async () => {
    const bench = await Bench.open();
    expect(await bench.respond('GetDiagnosisDumpInfo')).toEqual({
      DiagDumpExists: false,
      DiagDumpTimestamp: 0,
    });
    expect(await bench.device.diagnosis.file(dumpName)).toBeUndefined();
  });

  it('answers with both spellings, and tells when it was made in seconds of the device clock', async () => {
    const bench = await Bench.open();
    bench.device.time.set({
      uiYear: 2031,
      usiMonth: 2,
      usiDay: 3,
      usiHour: 4,
      usiMinute: 5,
      usiSec: 6,
      udiUSec: 999_999,
    });
    const seconds = Math.floor(bench.device.time.utc / 1000);
    expect(await bench.respond('DoDiagnosisDump', {})).toEqual(done);
    expect(await bench.respond('GetDiagnosisDumpInfo')).toEqual({
      DiagDumpExists: true,
      DiagDumpTimestamp: seconds,
    });
  });

  it('holds status, values, parameters, network, versions, description and the log', async () => {
    const bench = await Bench.open();
    bench.device.host.log.warn('Something odd', { where: 'here' });
    await bench.respond('DoDiagnosisDump', {});
    const files = await unpacked(bench);
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
    expect(await json(bench, 'status.json')).toMatchObject({
      DeviceStatus: { number: 3, name: 'DS_NormalOperation' },
      lostDocuments: [],
      temperatureCelsius: 32.5,
    });
    expect(await json(bench, 'versions.json')).toMatchObject({
      serialNumber: '12345678',
      release: '2.4.4',
      variant: 'full',
    });
    expect(await json(bench, 'openapi.json')).toMatchObject({ openapi: '3.1.0' });
    expect(await json(bench, 'operating-data.json')).toMatchObject({ PowerOnCnt: 1 });
    expect(await json(bench, 'network.json')).toMatchObject({ reachable: { source: 'static' } });
    expect(files.get('log.ndjson')).toContain('"where":"here"');
    expect(JSON.parse(files.get('detection-history.json') ?? '')).toEqual([]);
  });

  it('tells working, stored and factory values apart', async () => {
    const bench = await Bench.open();
    await bench.respond('WriteEeprom');
    const name = [...bench.device.endpoints.values()].find((endpoint) => endpoint.name === 'LocationName');
    if (name?.kind !== 'variable') throw new Error('there is no LocationName');
    bench.device.write(name, 'Gate 3', { level: 'Service' });
    await bench.respond('DoDiagnosisDump', {});
    expect(await json(bench, 'parameters.json')).toMatchObject({
      working: { LocationName: 'Gate 3' },
      stored: { LocationName: 'not defined' },
      factory: { LocationName: 'not defined' },
    });
    expect(await json(bench, 'variables.json')).toMatchObject({ LocationName: 'Gate 3' });
  });

  it('tells which documents were lost, and why the scanner is not well', async () => {
    const storage = new FaultyStorage();
    await Bench.open({}, storage);
    storage.documents.set('parameters.json', Buffer.from('{'));
    const bench = await Bench.open({}, storage);
    await bench.respond('DoDiagnosisDump', {});
    expect(await json(bench, 'status.json')).toMatchObject({
      DeviceStatus: { number: 7, name: 'DS_RecoverableError' },
      conditions: { DS_RecoverableError: [expect.any(String)] },
      lostDocuments: [{ document: 'parameters.json', setAside: 'parameters.json.unreadable' }],
      allStoredCouldBeRead: false,
    });
  });

  it('outlives a power cut with its time and its second name', async () => {
    const before = await Bench.open();
    await before.respond('DoDiagnosisDump', { Output: 'Halle Süd (2).zip' });
    const info = await before.respond('GetDiagnosisDumpInfo');
    const after = await before.afterPowerCut();
    expect(await after.respond('GetDiagnosisDumpInfo')).toEqual(info);
    expect(await unpacked(after, 'Halle Süd (2).zip')).toEqual(await unpacked(after));
  });

  it('replaces the one before, and its second name', async () => {
    const bench = await Bench.open();
    await bench.respond('DoDiagnosisDump', { Output: 'one.zip' });
    bench.clock.advance(5000);
    await bench.respond('DoDiagnosisDump', { Output: 'two.zip' });
    expect(await bench.device.diagnosis.file('one.zip')).toBeUndefined();
    expect(await unpacked(bench, 'two.zip')).toEqual(await unpacked(bench));
    expect([...bench.storage.documents.keys()].filter((name) => name.includes('zip'))).toEqual([dumpName]);
  });
});

describe('a name that is no plain file name', () => {
  it.each(['../x.zip', 'a/b', 'a\\b', '/etc/passwd', '.', '..', '.hidden', 'C:x', 'a%2fb', ' x'])(
    'makes nothing and says so: %j',
    async (Output) => {
      const bench = await Bench.open();
      await bench.respond('DoDiagnosisDump', {});
      const before = await bench.device.diagnosis.file(dumpName);
      expect(await bench.respond('DoDiagnosisDump', { Output })).toEqual({
        Successfull: false,
        Successful: false,
      });
      expect(await bench.device.diagnosis.file(dumpName)).toBe(before);
      expect(await bench.device.diagnosis.file(Output)).toBeUndefined();
    },
  );

  it('may have 64 characters and no more', async () => {
    const bench = await Bench.open();
    expect(await bench.respond('DoDiagnosisDump', { Output: 'x'.repeat(64) })).toEqual(done);
    await expect(bench.respond('DoDiagnosisDump', { Output: 'x'.repeat(65) })).rejects.toMatchObject({
      code: 7,
    });
  });
});

describe('DoRunlevelLoop', () => {
  it('suspends measuring until the archive is on disk', async () => {
    const bench = await Bench.open();
    const gate = bench.storage.delay(dumpName);
    const { begun } = bench.storage;
    const made = bench.respond('DoDiagnosisDump', { DoRunlevelLoop: true });
    while (!begun.includes(dumpName)) await settled();
    expect(bench.device.conditions.deviceStatus).toBe(suspended);
    gate.open();
    expect(await made).toEqual(done);
    expect(bench.device.conditions.deviceStatus).toBe(normal);
  });

  it('leaves measuring alone where it is not asked for', async () => {
    const bench = await Bench.open();
    const gate = bench.storage.delay(dumpName);
    const made = bench.respond('DoDiagnosisDump', {});
    while (!bench.storage.begun.includes(dumpName)) await settled();
    expect(bench.device.conditions.deviceStatus).toBe(normal);
    gate.open();
    await made;
  });

  it('lets it go on where the archive cannot be stored', async () => {
    const bench = await Bench.open();
    bench.storage.fail(dumpName);
    await expect(bench.respond('DoDiagnosisDump', { DoRunlevelLoop: true })).rejects.toThrow(Fault);
    expect(bench.device.conditions.deviceStatus).toBe(normal);
  });
});

describe('trouble', () => {
  it('on a full disk is told with status 3 and what helps, and the old archive stays whole', async () => {
    const bench = await Bench.open();
    await bench.respond('DoDiagnosisDump', { Output: 'old.zip' });
    const old = await bench.device.diagnosis.file('old.zip');
    bench.storage.fail(dumpName);
    await expect(bench.respond('DoDiagnosisDump', { Output: 'new.zip' })).rejects.toMatchObject({
      code: 3,
      reason: expect.stringContaining('make room there'),
    });
    expect(await bench.device.diagnosis.file(dumpName)).toBe(old);
    expect(await bench.device.diagnosis.file('new.zip')).toBeUndefined();
    bench.storage.recover();
    expect(await bench.respond('DoDiagnosisDump', { Output: 'new.zip' })).toEqual(done);
  });

  it('of two calls at once is none: they take turns', async () => {
    const bench = await Bench.open();
    const gate = bench.storage.delay(dumpName);
    const first = bench.respond('DoDiagnosisDump', { Output: 'one.zip' });
    const second = bench.respond('DoDiagnosisDump', { Output: 'two.zip' });
    while (!bench.storage.begun.includes(dumpName)) await settled();
    await settled();
    expect(bench.storage.begun.filter((name) => name === dumpName)).toHaveLength(1);
    gate.open();
    expect([await first, await second]).toEqual([done, done]);
    expect(await bench.device.diagnosis.file('two.zip')).toBeDefined();
    expect(await bench.device.diagnosis.file('one.zip')).toBeUndefined();
  });

  it('with what is kept (cut off, altered, not ours) sets it aside, and the scanner stays well', async () => {
    const whole = await Bench.open();
    await whole.respond('DoDiagnosisDump', { Output: 'mine.zip' });
    const archive = whole.storage.documents.get(dumpName) ?? new Uint8Array();
    for (const bytes of [archive.subarray(0, -3), Buffer.from('PK'), Buffer.alloc(0), Buffer.alloc(4000)]) {
      const storage = new FaultyStorage(whole.storage.documents);
      storage.documents.set(dumpName, bytes);
      const bench = await Bench.open({}, storage);
      expect(await bench.respond('GetDiagnosisDumpInfo')).toMatchObject({ DiagDumpExists: false });
      expect(await bench.device.diagnosis.file(dumpName)).toBeUndefined();
      expect([...(storage.documents.get(`${dumpName}.unreadable`) ?? [1])]).toEqual([...bytes]);
      expect(bench.device.conditions.deviceStatus).toBe(normal);
    }
  });

  it('of a read that a new archive overtakes is none: both are whole', async () => {
    const before = await Bench.open();
    await before.respond('DoDiagnosisDump', { Output: 'old.zip' });
    const bench = await before.afterPowerCut();
    const gate = bench.storage.delayRead(dumpName);
    const reading = bench.device.diagnosis.file(dumpName);
    await bench.respond('DoDiagnosisDump', { Output: 'new.zip' });
    gate.open();
    await unzip((await reading) ?? new Uint8Array());
    expect(await bench.device.diagnosis.file('new.zip')).toBeDefined();
    expect(await bench.device.diagnosis.file('old.zip')).toBeUndefined();
  });
});

it('a storage in memory has no links', async () => {
  const storage = new MemoryStorage();
  await storage.write(dumpName, Buffer.from('x'));
  expect(await storage.read(dumpName)).toEqual(Uint8Array.from(Buffer.from('x')));
});
