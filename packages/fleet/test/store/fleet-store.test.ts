import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { FleetStore } from '../../src/store/fleet-store.js';
import { Journal } from '../../src/store/journal.js';

const silent = { info() {}, warn() {}, error() {} };

function open(folder: string): Promise<FleetStore> {
  return FleetStore.open(folder, silent);
}

/** Opens the stored data after the end of the process: a copy of the disk without the lock. */
async function reopened(store: FleetStore, folder: string): Promise<FleetStore> {
  await store.close();
  return open(folder);
}

async function textOf(store: FleetStore, serial: string, name: string): Promise<string | undefined> {
  const bytes = await store.storageOf(serial).read(name);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

test('documents of scanners are apart, and are found again', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  await store.storageOf('1').write('a.json', Buffer.from('one'));
  await store.storageOf('2').write('a.json', Buffer.from('two'));
  await store.storageOf('1').write('a.json', Buffer.from('one again'));
  const again = await reopened(store, folder);
  expect(await textOf(again, '1', 'a.json')).toBe('one again');
  expect(await textOf(again, '2', 'a.json')).toBe('two');
  expect(await textOf(again, '3', 'a.json')).toBeUndefined();
  await again.close();
});

test('saves of many scanners share a wait for the disk', async () => {
  const store = await open(temporaryFolder());
  const before = store.writes;
  const content = Buffer.from('content');
  await Promise.all(
    Array.from({ length: 500 }, (_, number) => store.storageOf(String(number)).write('a.json', content)),
  );
  expect(store.writes - before).toBeLessThanOrEqual(2);
  await store.close();
});

test('the power-ons of thousands are one write, and count until the operating counters contain them', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const serials = Array.from({ length: 5000 }, (_, number) => String(number));
  const before = store.writes;
  await store.powerOn(serials);
  expect(store.writes - before).toBe(1);
  await store.powerOn(['7']);
  await store.storageOf('8').write('operating.json', Buffer.from('{}'));
  await store.storageOf('9').write('parameters.json', Buffer.from('{}'));
  const again = await reopened(store, folder);
  expect(['7', '8', '9', '4999', '5000'].map((serial) => again.powerOns(serial))).toEqual([2, 0, 1, 1, 0]);
  await again.close();
});

test('a document is removed, and renamed if it cannot be read', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const storage = store.storageOf('1');
  for (const name of ['a.json', 'b.json']) await storage.write(name, Buffer.from(name));
  await storage.remove('a.json');
  expect(await storage.setAside('b.json')).toBe('b.json.unreadable');
  await storage.write('b.json', Buffer.from('next'));
  expect(await storage.setAside('b.json')).toBe('b.json.unreadable-2');
  const again = await reopened(store, folder);
  expect(await textOf(again, '1', 'a.json')).toBeUndefined();
  expect(await textOf(again, '1', 'b.json.unreadable')).toBe('b.json');
  expect(await textOf(again, '1', 'b.json.unreadable-2')).toBe('next');
  await again.close();
});

test('a file that comes in pieces is in a folder of its scanner, which no other scanner has', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  await store.storageOf('1').write('firmware', Buffer.from('a document of this name'));
  const storage = store.storageOf('1');
  async function* pieces() {
    yield Buffer.from('first ');
    yield Buffer.from('second');
  }
  await storage.receive('firmware', pieces());
  expect(readdirSync(join(folder, 'files'))).toEqual(['1']);
  expect(existsSync(join(folder, 'files', '1', 'firmware'))).toBe(true);
  const found = await storage.pieces('firmware');
  if (found === undefined) throw new Error('the file is not there');
  expect(String(await buffer(found))).toBe('first second');
  await storage.remove('firmware');
  expect(await storage.pieces('firmware')).toBeUndefined();
  await storage.close();
  await expect(storage.write('a.json', Buffer.from(''))).rejects.toThrow('the scanner 1 is off');
  await store.close();
});

test('a journal that is mostly of replaced documents is written anew while scanners write on', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  await store.powerOn(['1', '2']);
  const large = Buffer.alloc(1024 * 1024, 'x');
  for (let round = 0; round < 24; round++) {
    await Promise.all([
      store.storageOf('1').write('large.json', large),
      store.storageOf('2').write('round.json', Buffer.from(String(round))),
    ]);
  }
  // Behind the compaction, if it has begun.
  expect(await textOf(store, '2', 'round.json')).toBe('23');
  expect(store.size).toBeLessThan(12 * large.length);
  const again = await reopened(store, folder);
  expect((await again.storageOf('1').read('large.json'))?.length).toBe(large.length);
  expect(await textOf(again, '2', 'round.json')).toBe('23');
  expect([again.powerOns('1'), again.powerOns('2')]).toEqual([1, 1]);
  await again.close();
});

test('it is written anew also while saves overlap all the time', async () => {
  const store = await open(temporaryFolder());
  const large = Buffer.alloc(256 * 1024, 'x');
  const writers = Array.from({ length: 8 }, async (_, index) => {
    for (let round = 0; round < 24; round++) {
      await store.storageOf(String(index)).write('large.json', large);
      // They must not continue together.
      for (let turn = 0; turn < index; turn++) await new Promise(setImmediate);
    }
  });
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, store.size);
  }, 1);
  await Promise.all(writers);
  clearInterval(looking);
  // Of 48 MiB that were written, 2 count.
  expect(most).toBeLessThan(30 * 1024 * 1024);
  expect((await store.storageOf('7').read('large.json'))?.length).toBe(large.length);
  await store.close();
});

/** A document of stored parameters, as a person writes it. */
function parametersWith(ScanDataEnable: boolean): Uint8Array {
  const switches = { Maintenance: true, AuthorizedClient: true, Service: true };
  const saved = { date: '2026-01-01', time: '12:00:00' };
  return Buffer.from(
    JSON.stringify({
      ...{ format: 1, saved, webserverEnabled: true, userLevels: switches, legacyUserLevels: switches },
      parameters: { ScanDataEnable },
    }),
  );
}

const known = (store: FleetStore) =>
  ['1', '2', '3', '4', '5'].map((serial) => store.sendsFromPowerOn(serial));

test('it knows whose stored parameters switch a stream on, also when it was written anew', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  await store.storageOf('1').write('parameters.json', parametersWith(true));
  await store.storageOf('2').write('parameters.json', parametersWith(false));
  await store.storageOf('3').write('parameters.json', parametersWith(true));
  await store.storageOf('3').write('parameters.json', parametersWith(false));
  await store.storageOf('4').write('parameters.json', Buffer.from('damaged'));
  await store.storageOf('5').write('other.json', parametersWith(true));
  const expected = [true, false, false, false, undefined];
  expect(known(store)).toEqual(expected);
  const large = Buffer.alloc(9 * 1024 * 1024, 'x');
  const again = await reopened(store, folder);
  expect(known(again)).toEqual(expected);
  for (let round = 0; round < 3; round++) await again.storageOf('2').write('large.json', large);
  const anew = await reopened(again, folder);
  expect(anew.size).toBeLessThan(1.5 * large.length);
  expect(known(anew)).toEqual(expected);
  // It did not have to read documents.
  expect(anew.writes).toBe(0);
  await anew.storageOf('1').setAside('parameters.json');
  expect(anew.sendsFromPowerOn('1')).toBe(false);
  await anew.close();
});

const firmwareWith = (release: string) =>
  Buffer.from(JSON.stringify({ format: 1, release, createdWith: '2.1.0' }));

test('it knows which release a scanner runs, also when it was written anew, copied, or has it from before', async () => {
  const folder = temporaryFolder();
  await (await open(folder)).close();
  const journal = await Journal.open(join(folder, 'journal'), () => {});
  const bytes = firmwareWith('2.2.0');
  await journal.append({ header: { unit: '1', documents: { 'firmware.json': bytes.length } }, bytes });
  await journal.close();
  const store = await open(folder);
  await store.storageOf('2').write('firmware.json', firmwareWith('2.3.1'));
  await store.storageOf('3').write('firmware.json', Buffer.from('damaged'));
  const releases = (of: FleetStore) => ['1', '2', '3'].map((serial) => of.release(serial));
  const expected = ['2.2.0', '2.3.1', undefined];
  expect(releases(store)).toEqual(expected);
  const large = Buffer.alloc(9 * 1024 * 1024, 'x');
  for (let round = 0; round < 3; round++) await store.storageOf('2').write('large.json', large);
  const again = await reopened(store, folder);
  expect(again.size).toBeLessThan(1.5 * large.length);
  expect(releases(again)).toEqual(expected);
  expect(again.writes).toBe(0);
  const other = await open(temporaryFolder());
  await other.copyFrom(again, '2');
  expect(other.release('2')).toBe('2.3.1');
  await other.close();
  await again.close();
});

test('it looks once at parameters whose records do not say whether they switch a stream on', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'journal');
  await (await open(folder)).close();
  const journal = await Journal.open(path, () => {});
  for (const [serial, on] of [
    ['1', true],
    ['2', false],
  ] as const) {
    const bytes = parametersWith(on);
    await journal.append({ header: { unit: serial, documents: { 'parameters.json': bytes.length } }, bytes });
  }
  await journal.close();
  const store = await open(folder);
  expect(known(store).slice(0, 3)).toEqual([true, false, undefined]);
  const { size } = store;
  const again = await reopened(store, folder);
  expect(known(again).slice(0, 3)).toEqual([true, false, undefined]);
  expect(again.size).toBe(size);
  await again.close();
});

test('a folder that another process uses is refused', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  await expect(open(folder)).rejects.toThrow('is in use by process');
  await store.close();
});

test('a copy of a scanner has exactly its files, and is not known before them', async () => {
  const [from, to] = [await open(temporaryFolder()), await open(temporaryFolder())];
  const receive = async (store: FleetStore, name: string, text: string) => {
    const storage = store.storageOf('1');
    await storage.receive(name, new Blob([text]).stream());
    await storage.close();
  };
  await from.powerOn(['1']);
  await receive(from, 'kept.bin', 'kept');
  // An earlier copy that a power cut has stopped.
  await receive(to, 'old.bin', 'old');
  expect([...to.serials]).toEqual([]);
  await to.copyFrom(from, '1');
  await from.forget(['1']);
  const storage = to.storageOf('1');
  expect(await storage.pieces('old.bin')).toBeUndefined();
  expect(String(await storage.read('kept.bin'))).toBe('kept');
  await storage.close();
  expect([to.powerOns('1'), [...from.serials], [...from.folders]]).toEqual([1, [], []]);
  await Promise.all([from.close(), to.close()]);
});

test('a scanner is copied whole from a store that writes its journal anew meanwhile', async () => {
  const [from, to] = [await open(temporaryFolder()), await open(temporaryFolder())];
  const names = Array.from({ length: 100 }, (_, number) => `${number}.json`);
  for (const name of names) await from.storageOf('1').write(name, Buffer.from(name));
  for (let round = 0; round < 3; round++)
    await from.storageOf('2').write('large.json', Buffer.alloc(9 * 1024 * 1024));
  let isWritten = false;
  const writing = from
    .storageOf('2')
    .read('large.json')
    .then(() => {
      isWritten = true;
    });
  let copies = 0;
  for (; !isWritten; copies++) await to.copyFrom(from, '1');
  await writing;
  expect(copies).toBeGreaterThan(0);
  expect(from.size).toBeLessThan(10 * 1024 * 1024);
  for (const name of names) expect(await textOf(to, '1', name)).toBe(name);
  await Promise.all([from.close(), to.close()]);
});
