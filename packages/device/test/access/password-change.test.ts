import { createDecipheriv, createHmac } from 'node:crypto';
import type { LoginLevel } from '@azimuth/model';
import { encryptedMessage } from '@azimuth/test-support/password-change';
import { factoryPassword, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { changeRestPassword } from '../../src/general/passwords.js';

const realm = 'SICK Sensor';
/** Published numbers: Service, `servicelevel` with salt 10…1f becomes `newSecret1!` with salt 20…2f, iv 00…0f. */
const oldHash = Buffer.from('a76c4d1e933d3b51ab2a7c33b147bd1cb35acb02af9c24bbe414323aee6baf13', 'hex');
const newHash = Buffer.from('b61be77d245118fcf5b126bd37e3d65de2b4cfd93d57477a6fee3f2ef865aed7', 'hex');
const oldSalt = Buffer.from('101112131415161718191a1b1c1d1e1f', 'hex');
const newSalt = Buffer.from('202122232425262728292a2b2c2d2e2f', 'hex');
const message = Buffer.from(
  '000102030405060708090a0b0c0d0e0f' +
    '8e846c024b4e05226e0937370bcbf0e00d3e63a70c7dbf50861accd7416e796d6eb71231f79c58548cfde0b1d26dbebf' +
    '7828ec24ce676b0d01965fbc94eed37fda6ee24a5935076ad42b3263f41f7c04',
  'hex',
);

function change(
  testDevice: TestDevice,
  level: LoginLevel,
  oldPassword: string,
  newPassword: string,
): Promise<unknown> {
  const { salt } = testDevice.device.access.challenge(level);
  return send(testDevice, level, [
    ...encryptedMessage({
      realm,
      oldLogin: { user: level, password: oldPassword },
      oldSalt: Buffer.from(salt),
      newPassword,
      newSalt,
      iv: oldSalt,
    }),
  ]);
}

function send(testDevice: TestDevice, userLevel: string, encrypted: readonly number[]): Promise<unknown> {
  return testDevice.respond('changePassword', { encryptedMessage: encrypted, userLevel });
}

test('the published message changes the published password, and the new one logs in', async () => {
  const testDevice = await TestDevice.open();
  const { credentials, access } = testDevice.context;
  await credentials.setRest('Service', { hash: oldHash, salt: oldSalt });
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
  expect(await changeRestPassword('Service', message, credentials, access, testDevice.log)).toBe(true);
  expect(Buffer.from(credentials.content.rest.Service.hash)).toEqual(newHash);
  expect(Buffer.from(credentials.content.rest.Service.salt)).toEqual(newSalt);
  expect(testDevice.logIn('Service', 'newSecret1!')).toEqual({ level: 'Service' });
  expect(() => testDevice.logIn()).toThrow();
});

test('the published numbers fit each other', () => {
  expect(createHmac('sha256', oldHash).update(message.subarray(0, 64)).digest()).toEqual(
    message.subarray(64),
  );
  const cipher = createDecipheriv('aes-128-cbc', oldHash.subarray(0, 16), message.subarray(0, 16));
  cipher.setAutoPadding(false);
  expect(Buffer.concat([cipher.update(message.subarray(16, 64)), cipher.final()])).toEqual(
    Buffer.concat([newHash, newSalt]),
  );
});

test('a changed password is on disk at its response', async () => {
  const testDevice = await TestDevice.open();
  expect(await change(testDevice, 'Service', 'servicelevel', 'another')).toEqual({ result: 0 });
  const after = await testDevice.afterPowerCut();
  expect(after.logIn('Service', 'another')).toEqual({ level: 'Service' });
});

test('getChallenge returns the salt of the message afterwards', async () => {
  const testDevice = await TestDevice.open();
  expect(await change(testDevice, 'Service', 'servicelevel', 'x')).toEqual({ result: 0 });
  expect(testDevice.device.access.challenge('Service').salt).toEqual([...newSalt]);
});

test.each(['', 'pässwörd', '€uro', 'with : colons :', 'x'.repeat(300)])(
  'the password can be "%s"',
  async (text) => {
    const testDevice = await TestDevice.open();
    expect(await change(testDevice, 'Service', 'servicelevel', text)).toEqual({ result: 0 });
    expect(testDevice.logIn('Service', text)).toEqual({ level: 'Service' });
  },
);

test('a message works once', async () => {
  const testDevice = await TestDevice.open();
  await testDevice.context.credentials.setRest('Service', { hash: oldHash, salt: oldSalt });
  expect(await send(testDevice, 'Service', [...message])).toEqual({ result: 0 });
  expect(await send(testDevice, 'Service', [...message])).toEqual({ result: 2 });
  expect(testDevice.logIn('Service', 'newSecret1!')).toEqual({ level: 'Service' });
});

test('every flipped bit of the message is refused, and is a failed login', async () => {
  const testDevice = await TestDevice.open();
  const { credentials, access } = testDevice.context;
  await credentials.setRest('Service', { hash: oldHash, salt: oldSalt });
  for (let bit = 0; bit < 96 * 8; bit++) {
    const flipped = Uint8Array.from(message);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(await changeRestPassword('Service', flipped, credentials, access, testDevice.log)).toBe(false);
  }
  expect(access.lockout.locked).toBe(true);
  expect(Buffer.from(credentials.content.rest.Service.hash)).toEqual(oldHash);
});

test.each([0, 1, 64, 80, 95])('a message of %d bytes is not accepted', async (length) => {
  const testDevice = await TestDevice.open();
  await testDevice.context.credentials.setRest('Service', { hash: oldHash, salt: oldSalt });
  expect(await send(testDevice, 'Service', [...message.subarray(0, length)])).toEqual({ result: 2 });
});

test('five messages that prove nothing lock, and then the result is 5', async () => {
  const testDevice = await TestDevice.open();
  for (let time = 0; time < 5; time++) {
    expect(await change(testDevice, 'Service', 'wrong', 'x')).toEqual({ result: 2 });
  }
  expect(await send(testDevice, 'Service', [...message])).toEqual({ result: 5 });
  expect(await send(testDevice, 'Run', [...message])).toEqual({ result: 4 });
  testDevice.clock.advance(30_000);
  expect(await change(testDevice, 'Service', 'servicelevel', 'x')).toEqual({ result: 0 });
});

test('a message that proves something clears the count of failed logins', async () => {
  const testDevice = await TestDevice.open();
  for (let time = 0; time < 4; time++) expect(() => testDevice.logIn('Service', 'wrong')).toThrow();
  expect(await change(testDevice, 'Service', 'servicelevel', 'x')).toEqual({ result: 0 });
  for (let time = 0; time < 4; time++) expect(() => testDevice.logIn('Service', 'wrong')).toThrow();
  expect(testDevice.logIn('Service', 'x')).toEqual({ level: 'Service' });
});

test.each([
  ['Run', { result: 4 }],
  ['Operator', { result: 4 }],
])('the password of %s cannot be changed', async (level, response) => {
  expect(await send(await TestDevice.open(), level, [...message])).toEqual(response);
});

const userLevel = 'Service';
const encryptedMessage96 = [...message];

test.each([
  ['no data', undefined, 'parsingFailed'],
  ['no level', { encryptedMessage: encryptedMessage96 }, 'parsingFailed'],
  ['no message', { userLevel }, 'parsingFailed'],
  ['97 items', { encryptedMessage: [...encryptedMessage96, 0], userLevel }, 'outOfBounds'],
  ['an item above 255', { encryptedMessage: [256], userLevel }, 'outOfRange'],
  ['a negative item', { encryptedMessage: [-1], userLevel }, 'outOfRange'],
  ['an item that is a fraction', { encryptedMessage: [0.5], userLevel }, 'invalidData'],
  ['an item that is null', { encryptedMessage: [null], userLevel }, 'invalidData'],
  ['a message that is text', { encryptedMessage: '00'.repeat(96), userLevel }, 'invalidData'],
  [
    'the name of a level with a blank',
    { encryptedMessage: encryptedMessage96, userLevel: 'Authorized Client' },
    'outOfBounds',
  ],
  ['an unknown level', { encryptedMessage: encryptedMessage96, userLevel: 'Nobody' }, 'illegalValue'],
  ['a level in lower case', { encryptedMessage: encryptedMessage96, userLevel: 'service' }, 'illegalValue'],
  ['a level that is a number', { encryptedMessage: encryptedMessage96, userLevel: 4 }, 'invalidData'],
  ['an unknown member', { encryptedMessage: encryptedMessage96, userLevel, x: 1 }, 'invalidData'],
])('%s is refused and does not count as a failed login', async (_, data, status) => {
  const testDevice = await TestDevice.open();
  for (let time = 0; time < 6; time++) {
    await expect(testDevice.respond('changePassword', data)).rejects.toMatchObject({ status });
  }
  expect(testDevice.device.access.lockout.locked).toBe(false);
});

test('the password of a disabled level cannot be changed, with the right message or any other', async () => {
  const testDevice = await TestDevice.open();
  const before = testDevice.context.credentials.content.rest.Maintenance;
  for (let time = 0; time < 6; time++) {
    expect(await change(testDevice, 'Maintenance', factoryPassword.Maintenance, 'keys')).toEqual({
      result: 4,
    });
    expect(await change(testDevice, 'Maintenance', 'wrong', 'keys')).toEqual({ result: 4 });
    expect(await send(testDevice, 'Maintenance', [])).toEqual({ result: 4 });
  }
  expect(testDevice.context.credentials.content.rest.Maintenance).toBe(before);
  expect(testDevice.device.access.lockout.locked).toBe(false);
  await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(testDevice.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
});

test('during the lock, a disabled level gets the result of the lock', async () => {
  const testDevice = await TestDevice.open();
  for (let time = 0; time < 5; time++) expect(await send(testDevice, 'Service', [])).toEqual({ result: 2 });
  expect(await send(testDevice, 'Maintenance', [...message])).toEqual({ result: 5 });
});

test('an enabled level changes its own password', async () => {
  const testDevice = await TestDevice.open();
  await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(await change(testDevice, 'Maintenance', factoryPassword.Maintenance, 'keys')).toEqual({ result: 0 });
  expect(testDevice.logIn('Maintenance', 'keys')).toEqual({ level: 'Maintenance' });
  expect(testDevice.logIn('Service')).toEqual({ level: 'Service' });
});

test('one level cannot change the password of another one', async () => {
  const testDevice = await TestDevice.open();
  const { salt } = testDevice.device.access.challenge('Service');
  const foreign = encryptedMessage({
    realm,
    oldLogin: { user: 'Maintenance', password: factoryPassword.Maintenance },
    oldSalt: Buffer.from(salt),
    newPassword: 'x',
    newSalt,
    iv: oldSalt,
  });
  expect(await send(testDevice, 'Service', [...foreign])).toEqual({ result: 2 });
});

test('challenges of before the change are void', async () => {
  const testDevice = await TestDevice.open();
  const header = testDevice.header('checkCredentials');
  await change(testDevice, 'Service', 'servicelevel', 'x');
  expect(() => testDevice.device.access.authenticate(header, 'checkCredentials')).toThrow(
    expect.objectContaining({ status: 'invalidChallenge' }),
  );
});

test('a change that cannot be stored leaves the old password in force', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.fail('credentials.json', { once: true });
  await expect(change(testDevice, 'Service', 'servicelevel', 'x')).rejects.toThrow('ENOSPC');
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
  expect(await change(testDevice, 'Service', 'servicelevel', 'x')).toEqual({ result: 0 });
  expect(testDevice.logIn('Service', 'x')).toEqual({ level: 'Service' });
});
