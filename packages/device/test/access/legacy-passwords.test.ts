import type { Level } from '@azimuth/model';
import { expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';
import { FaultyStorage } from '../../../../tests/support/faulty-storage.js';
import { LogBook } from '../../../../tests/support/log-book.js';
import { SeededRandom } from '../../../../tests/support/seeded-random.js';
import { CredentialStore, legacyPasswordHash } from '../../src/access/credential-store.js';
import { openFactoryPasswords } from '../../src/index.js';
import { Documents } from '../../src/storage/documents.js';

async function setPassword(bench: Bench, level: Level, siUserLevel: number, udiNewPassword = 123456) {
  return bench.call('SetPassword', { siUserLevel, udiNewPassword }, { level });
}

test.each([
  ['test', 3410122659],
  ['client', 0xf4724744],
  ['main', 0xb21ace26],
  ['servicelevel', 0x81be23aa],
  ['testtest', 0x1920e4c9],
])('the legacy hash of "%s" is %d', (password, hash) => {
  expect(legacyPasswordHash(password)).toBe(hash);
});

test('Service sets the legacy password of every level that has one', async () => {
  const bench = await Bench.open();
  for (const [number, level] of [
    [2, 'Maintenance'],
    [3, 'AuthorizedClient'],
    [4, 'Service'],
  ] as const) {
    expect((await setPassword(bench, 'Service', number, 1000 + number)).response).toEqual({ bSuccess: true });
    expect(bench.device.credentials.isLegacy(level, 1000 + number)).toBe(true);
    expect(bench.device.credentials.isLegacy(level, 1001 + number)).toBe(false);
  }
});

test('an unknown level, and one without a password, is false', async () => {
  const bench = await Bench.open();
  for (let number = -128; number <= 127; number++) {
    if (number >= 2 && number <= 4) continue;
    expect((await setPassword(bench, 'Service', number)).response).toEqual({ bSuccess: false });
  }
});

test('a level below Service sets its own legacy password and no other', async () => {
  const bench = await Bench.open();
  expect((await setPassword(bench, 'Maintenance', 2)).response).toEqual({ bSuccess: true });
  expect((await setPassword(bench, 'AuthorizedClient', 3)).response).toEqual({ bSuccess: true });
  for (const [level, number] of [
    ['Maintenance', 3],
    ['Maintenance', 4],
    ['AuthorizedClient', 2],
    ['AuthorizedClient', 4],
    ['AuthorizedClient', 9],
    ['Run', 2],
  ] as const) {
    await expect(setPassword(bench, level, number)).rejects.toMatchObject({ status: 'accessDenied' });
  }
});

test('SetPassword leaves the REST password alone, and is there after a power cut', async () => {
  const bench = await Bench.open();
  await setPassword(bench, 'Service', 4, 77);
  expect(bench.logIn()).toEqual({ level: 'Service' });
  const after = await bench.afterPowerCut();
  expect(after.device.credentials.isLegacy('Service', 77)).toBe(true);
  expect(after.logIn()).toEqual({ level: 'Service' });
});

test('a password that cannot be stored stays the old one, and the next one is stored', async () => {
  const bench = await Bench.open();
  bench.storage.fail('credentials.json', { once: true });
  const failing = setPassword(bench, 'Service', 4, 77);
  const next = setPassword(bench, 'Service', 2, 78);
  await expect(failing).rejects.toThrow('ENOSPC');
  await next;
  expect(bench.device.credentials.isLegacy('Service', 77)).toBe(false);
  expect(bench.device.credentials.isLegacy('Service', legacyPasswordHash('servicelevel'))).toBe(true);
  expect(bench.device.credentials.isLegacy('Maintenance', 78)).toBe(true);
});

test('a password that cannot be stored is answered with status 3 and a clear detail', async () => {
  const bench = await Bench.open();
  bench.storage.fail('credentials.json');
  await expect(setPassword(bench, 'Service', 4, 77)).rejects.toMatchObject({
    status: 'internalServerError',
    message: expect.stringContaining('ENOSPC: no space left on device'),
  });
});

test('no password counts before it is on disk', async () => {
  const storage = new FaultyStorage();
  const { store } = await CredentialStore.load(new Documents(storage, new LogBook()), new SeededRandom());
  const writing = storage.delay('credentials.json');
  const setting = store.setLegacy('Service', 77);
  expect(store.isLegacy('Service', 77)).toBe(false);
  writing.open();
  await setting;
  expect(store.isLegacy('Service', 77)).toBe(true);
});

test('which factory passwords are in force is told, for levels that can log in', async () => {
  const bench = await Bench.open();
  expect(openFactoryPasswords(bench.device)).toEqual({ rest: ['Service'], legacy: ['Service'] });
  await bench.respond('EnableLegacyUserLevel', { userLevel: 2, isEnabled: true });
  await bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  expect(openFactoryPasswords(bench.device)).toEqual({
    rest: ['AuthorizedClient', 'Service'],
    legacy: ['Maintenance', 'Service'],
  });
  await bench.device.credentials.setPassword('Service', 'other');
  expect(openFactoryPasswords(bench.device)).toEqual({ rest: ['AuthorizedClient'], legacy: ['Maintenance'] });
  await bench.respond('SetPassword', { siUserLevel: 2, udiNewPassword: 7 });
  expect(openFactoryPasswords(bench.device)).toEqual({ rest: ['AuthorizedClient'], legacy: [] });
});

test('a password from the start is in force over REST and the legacy protocol', async () => {
  const bench = await Bench.open({ passwords: { Service: 'Grüße', Maintenance: 'keys' } });
  expect(bench.logIn('Service', 'Grüße')).toEqual({ level: 'Service' });
  expect(() => bench.logIn('Service', 'servicelevel')).toThrow();
  expect(bench.device.credentials.isLegacy('Maintenance', legacyPasswordHash('keys'))).toBe(true);
  expect(openFactoryPasswords(bench.device)).toEqual({ rest: [], legacy: [] });
});
