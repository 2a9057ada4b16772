import { builtInProduct, type Level } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LogBook } from '@azimuth/test-support/log-book';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { CredentialStore } from '../../src/access/credential-store.js';
import { legacyPasswordHash } from '../../src/access/credentials.js';
import { Conditions } from '../../src/lifecycle/conditions.js';
import { Documents } from '../../src/storage/documents.js';

async function setPassword(
  testDevice: TestDevice,
  level: Level,
  siUserLevel: number,
  udiNewPassword = 123456,
) {
  return testDevice.call('SetPassword', { siUserLevel, udiNewPassword }, { level });
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
  const testDevice = await TestDevice.open();
  for (const [number, level] of [
    [2, 'Maintenance'],
    [3, 'AuthorizedClient'],
    [4, 'Service'],
  ] as const) {
    expect((await setPassword(testDevice, 'Service', number, 1000 + number)).response).toEqual({
      bSuccess: true,
    });
    expect(testDevice.context.credentials.isLegacy(level, 1000 + number)).toBe(true);
    expect(testDevice.context.credentials.isLegacy(level, 1001 + number)).toBe(false);
  }
});

test('an unknown level, and one without a password, is false', async () => {
  const testDevice = await TestDevice.open();
  for (let number = -128; number <= 127; number++) {
    if (number >= 2 && number <= 4) continue;
    expect((await setPassword(testDevice, 'Service', number)).response).toEqual({ bSuccess: false });
  }
});

test('a level below Service sets its own legacy password and no other', async () => {
  const testDevice = await TestDevice.open();
  expect((await setPassword(testDevice, 'Maintenance', 2)).response).toEqual({ bSuccess: true });
  expect((await setPassword(testDevice, 'AuthorizedClient', 3)).response).toEqual({ bSuccess: true });
  for (const [level, number] of [
    ['Maintenance', 3],
    ['Maintenance', 4],
    ['AuthorizedClient', 2],
    ['AuthorizedClient', 4],
    ['AuthorizedClient', 9],
    ['Run', 2],
  ] as const) {
    await expect(setPassword(testDevice, level, number)).rejects.toMatchObject({ status: 'accessDenied' });
  }
});

test('SetPassword leaves the REST password alone, and is there after a power cut', async () => {
  const testDevice = await TestDevice.open();
  await setPassword(testDevice, 'Service', 4, 77);
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
  const after = await testDevice.afterPowerCut();
  expect(after.context.credentials.isLegacy('Service', 77)).toBe(true);
  expect(after.logIn()).toEqual({ level: 'Service' });
});

test('a password that cannot be stored stays the old one, and the next one is stored', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.fail('credentials.json', { once: true });
  const failing = setPassword(testDevice, 'Service', 4, 77);
  const next = setPassword(testDevice, 'Service', 2, 78);
  await expect(failing).rejects.toThrow('ENOSPC');
  await next;
  expect(testDevice.context.credentials.isLegacy('Service', 77)).toBe(false);
  expect(testDevice.context.credentials.isLegacy('Service', legacyPasswordHash('servicelevel'))).toBe(true);
  expect(testDevice.context.credentials.isLegacy('Maintenance', 78)).toBe(true);
});

test('a password that cannot be stored gets status 3 and a clear detail', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.fail('credentials.json');
  await expect(setPassword(testDevice, 'Service', 4, 77)).rejects.toMatchObject({
    status: 'internalServerError',
    message: expect.stringContaining('ENOSPC: no space left on device'),
  });
});

test('no password counts before it is on disk', async () => {
  const storage = new FaultyStorage();
  const log = new LogBook();
  const store = await CredentialStore.open({
    product: builtInProduct,
    documents: new Documents(storage, log),
    random: new SeededRandom(),
    conditions: new Conditions(() => undefined),
    isUsed: async () => false,
    log,
  });
  const writing = storage.delay('credentials.json');
  const setting = store.setLegacy('Service', 77);
  expect(store.isLegacy('Service', 77)).toBe(false);
  writing.open();
  await setting;
  expect(store.isLegacy('Service', 77)).toBe(true);
});

test('the factory passwords in force are logged for levels that can log in', async () => {
  const testDevice = await TestDevice.open();
  expect(testDevice.device.features.userLevels.openFactoryPasswords()).toEqual({
    rest: ['Service'],
    legacy: ['Service'],
  });
  await testDevice.respond('EnableLegacyUserLevel', { userLevel: 2, isEnabled: true });
  await testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  expect(testDevice.device.features.userLevels.openFactoryPasswords()).toEqual({
    rest: ['AuthorizedClient', 'Service'],
    legacy: ['Maintenance', 'Service'],
  });
  await testDevice.context.credentials.setPassword('Service', 'other');
  expect(testDevice.device.features.userLevels.openFactoryPasswords()).toEqual({
    rest: ['AuthorizedClient'],
    legacy: ['Maintenance'],
  });
  await testDevice.respond('SetPassword', { siUserLevel: 2, udiNewPassword: 7 });
  expect(testDevice.device.features.userLevels.openFactoryPasswords()).toEqual({
    rest: ['AuthorizedClient'],
    legacy: [],
  });
});

test('a password from the start is in force over REST and the legacy protocol', async () => {
  const testDevice = await TestDevice.open({ passwords: { Service: 'Grüße', Maintenance: 'keys' } });
  expect(testDevice.logIn('Service', 'Grüße')).toEqual({ level: 'Service' });
  expect(() => testDevice.logIn('Service', 'servicelevel')).toThrow();
  expect(testDevice.context.credentials.isLegacy('Maintenance', legacyPasswordHash('keys'))).toBe(true);
  expect(testDevice.device.features.userLevels.openFactoryPasswords()).toEqual({ rest: [], legacy: [] });
});
