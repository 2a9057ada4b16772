import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { encryptedMessage } from '@azimuth/test-support/password-change';
import { factoryPassword, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { legacyPasswordHash } from '../../src/access/credentials.js';
import { storedNames } from '../../src/storage/document.js';

const name = 'credentials.json';
const own = { Service: 'own' };

/** The documents of a scanner with a password of its own. */
async function used(): Promise<FaultyStorage> {
  return (await TestDevice.open({ passwords: own })).storage.afterPowerCut();
}

/** Nobody can log in, over REST or the legacy protocol, with any password. Everything else works. */
async function expectLocked(testDevice: TestDevice): Promise<void> {
  const { device, log } = testDevice;
  const { access } = device;
  const refused = expect.objectContaining({ status: 'accessDenied' });
  expect(() => access.challenge('Service')).toThrow(refused);
  const header = { user: 'Service', realm: 'SICK Sensor', nonce: 'n', opaque: 'o', response: 'r' };
  expect(() => access.authenticate(header, 'checkCredentials')).toThrow(refused);
  for (const password of ['servicelevel', 'own'])
    expect(() => access.authenticatePassword('Service', [password], 'CreateSessionToken')).toThrow(refused);
  const message = encryptedMessage({
    realm: 'SICK Sensor',
    oldLogin: { user: 'Service', password: factoryPassword.Service },
    oldSalt: Buffer.alloc(16, 1),
    newPassword: 'mine',
    newSalt: Buffer.alloc(16, 2),
    iv: Buffer.alloc(16),
  });
  await expect(
    testDevice.call('changePassword', { encryptedMessage: [...message], userLevel: 'Service' }),
  ).rejects.toMatchObject({ status: 'accessDenied' });
  await expect(testDevice.call('SetPassword', { siUserLevel: 4, udiNewPassword: 1 })).rejects.toMatchObject({
    status: 'accessDenied',
  });
  const legacy = device.features.legacyInterfaces.access;
  for (const password of ['servicelevel', 'own'])
    expect(legacy.login(4, legacyPasswordHash(password))).toBeUndefined();
  expect(access.lockout.locks + legacy.lockout.locks).toBe(0);
  expect(device.features.userLevels.openFactoryPasswords()).toEqual({ rest: [], legacy: [] });
  expect(device.features.deviceStatus.conditions.deviceStatus).toBe(7);
  expect(log.errors.map(({ message: text }) => text)).toContain('locked: credentials cannot be read');
  expect(device.lifecycle.phase).toBe('up');
}

test.each(['EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE'])(
  'credentials that cannot be read for %s admit nobody, stay where they are, and count again when they can be read',
  async (code) => {
    const storage = await used();
    const before = new Map(storage.documents);
    storage.failRead(name, code);
    const testDevice = await TestDevice.open({}, storage);
    await expectLocked(testDevice);
    expect(storage.documents.get(name)).toEqual(before.get(name));
    expect([...storage.documents.keys()]).toEqual([...before.keys()]);
    await testDevice.reboot();
    await expectLocked(testDevice);
    storage.recover();
    await testDevice.reboot();
    expect(testDevice.logIn('Service', 'own')).toEqual({ level: 'Service' });
    expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(3);
    expect(storage.documents.get(name)).toEqual(before.get(name));
  },
);

test('damaged credentials admit nobody, at this start and at every later one', async () => {
  const storage = await used();
  storage.documents.set(name, Buffer.from('damaged'));
  const first = await TestDevice.open({}, storage);
  await expectLocked(first);
  await expectLocked(await first.afterPowerCut());
  await expectLocked(await first.afterPowerCut({ passwords: { Service: 'servicelevel' } }));
});

test.each(storedNames.filter((other) => other !== name))(
  'missing credentials admit nobody if there is a %s, or one that was set aside',
  async (other) => {
    const intact = await used();
    const content = intact.documents.get(other) ?? Buffer.from('anything');
    await expectLocked(await TestDevice.open({}, new FaultyStorage(new Map([[other, content]]))));
    const aside = new FaultyStorage(new Map([[`${other}.unreadable-2026`, content]]));
    await expectLocked(await TestDevice.open({}, aside));
  },
);

/** A storage without `isUsed`. */
function silentStorage(documents?: ReadonlyMap<string, Uint8Array>): FaultyStorage {
  const storage = new FaultyStorage(documents);
  Reflect.set(storage, 'isUsed', undefined);
  return storage;
}

test.each(storedNames.filter((other) => other !== name))(
  'in a storage that does not tell of its use, missing credentials admit nobody if there is a %s, be it unreadable',
  async (other) => {
    const content = Buffer.from('anything');
    await expectLocked(await TestDevice.open({}, silentStorage(new Map([[other, content]]))));
    const unreadable = silentStorage();
    unreadable.failRead(other);
    await expectLocked(await TestDevice.open({}, unreadable));
  },
);

test('in a storage that does not tell of its use, and is empty, a scanner is new', async () => {
  const testDevice = await TestDevice.open({}, silentStorage());
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
});

test.each(['credentials.json', 'firmware.json', 'parameters.json', 'operating.json'])(
  'a first start that a power cut ends at the write of %s is a first start again',
  async (document) => {
    const storage = new FaultyStorage();
    storage.die(document);
    void TestDevice.open({ passwords: own }, storage).catch(() => undefined);
    await expect.poll(() => storage.begun).toContain(document);
    const testDevice = await TestDevice.open({ passwords: own }, storage.afterPowerCut());
    expect(testDevice.logIn('Service', 'own')).toEqual({ level: 'Service' });
    expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(3);
  },
);

test('passwords are reset on purpose: what was damaged is set aside, and given passwords count', async () => {
  const storage = await used();
  storage.documents.set(name, Buffer.from('damaged'));
  const testDevice = await TestDevice.open({ resetPasswords: true, passwords: { Service: 'next' } }, storage);
  expect(testDevice.logIn('Service', 'next')).toEqual({ level: 'Service' });
  expect(testDevice.device.features.deviceStatus.conditions.deviceStatus).toBe(3);
  expect(testDevice.log.lines.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('The passwords were reset'),
  );
  const aside = [...storage.documents.keys()].find((each) => each.startsWith(`${name}.unreadable`));
  expect(String(storage.documents.get(aside ?? ''))).toBe('damaged');
  const after = await testDevice.afterPowerCut();
  expect(after.logIn('Service', 'next')).toEqual({ level: 'Service' });
});

test('passwords that cannot be read are set aside by a reset, and nothing of them is lost', async () => {
  const storage = await used();
  const before = storage.documents.get(name);
  storage.failRead(name);
  const testDevice = await TestDevice.open({ resetPasswords: true }, storage);
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
  const aside = [...storage.documents.keys()].find((each) => each.startsWith(`${name}.unreadable`));
  expect(storage.documents.get(aside ?? '')).toEqual(before);
});

test('a reset on a busy system fails, and nothing of the passwords is lost', async () => {
  const storage = await used();
  const before = new Map(storage.documents);
  storage.failRead(name, 'EMFILE');
  await expect(TestDevice.open({ resetPasswords: true }, storage)).rejects.toThrow('EMFILE');
  expect(storage.documents).toEqual(before);
});

test('given passwords count at the first start only, and the log says which levels ignore them, but no password', async () => {
  const first = await TestDevice.open({ passwords: { Service: 'label' } });
  expect(first.log.lines.map(({ message }) => message).join()).not.toContain('ignored');
  await first.context.credentials.setPassword('Service', 'customer');
  const second = await first.afterPowerCut({ passwords: { Service: 'label', Maintenance: 'main' } });
  expect(second.logIn('Service', 'customer')).toEqual({ level: 'Service' });
  expect(() => second.logIn('Service', 'label')).toThrow();
  const told = second.log.lines.filter(({ message }) => message.includes('ignored'));
  expect(told).toMatchObject([{ severity: 'warn', facts: { levels: ['Service'] } }]);
  expect(JSON.stringify(second.log.lines)).not.toMatch(/label|customer/);
  const third = await first.afterPowerCut({ passwords: { Service: 'customer' } });
  expect(third.log.lines.map(({ message }) => message).join()).not.toContain('ignored');
});
