import { createDecipheriv, createHmac } from 'node:crypto';
import type { LoginLevel } from '@azimuth/model';
import { expect, test } from 'vitest';
import { Bench, factoryPassword } from '../../../../tests/support/device-test-bench.js';
import { encryptedMessage } from '../../../../tests/support/password-change.js';
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

function change(bench: Bench, level: LoginLevel, oldPassword: string, newPassword: string): Promise<unknown> {
  const { salt } = bench.device.access.challenge(level);
  return send(bench, level, [
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

function send(bench: Bench, userLevel: string, encrypted: readonly number[]): Promise<unknown> {
  return bench.respond('changePassword', { encryptedMessage: encrypted, userLevel });
}

test('the published message changes the published password, and the new one logs in', async () => {
  const bench = await Bench.open();
  const { credentials, access } = bench.device;
  await credentials.setRest('Service', { hash: oldHash, salt: oldSalt });
  expect(bench.logIn()).toEqual({ level: 'Service' });
  expect(await changeRestPassword('Service', message, credentials, access, bench.log)).toBe(true);
  expect(Buffer.from(credentials.rest('Service').hash)).toEqual(newHash);
  expect(Buffer.from(credentials.rest('Service').salt)).toEqual(newSalt);
  expect(bench.logIn('Service', 'newSecret1!')).toEqual({ level: 'Service' });
  expect(() => bench.logIn()).toThrow();
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

test('a changed password is on disk when it is answered', async () => {
  const bench = await Bench.open();
  expect(await change(bench, 'Service', 'servicelevel', 'another')).toEqual({ result: 0 });
  const after = await bench.afterPowerCut();
  expect(after.logIn('Service', 'another')).toEqual({ level: 'Service' });
});

test('every flipped bit of the message is refused, and is a failed login', async () => {
  const bench = await Bench.open();
  const { credentials, access } = bench.device;
  await credentials.setRest('Service', { hash: oldHash, salt: oldSalt });
  for (let bit = 0; bit < 96 * 8; bit++) {
    const flipped = Uint8Array.from(message);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(await changeRestPassword('Service', flipped, credentials, access, bench.log)).toBe(false);
  }
  expect(access.lockout.locked).toBe(true);
  expect(Buffer.from(credentials.rest('Service').hash)).toEqual(oldHash);
});

test.each([0, 1, 64, 80, 95])('a message of %d bytes is not accepted', async (length) => {
  const bench = await Bench.open();
  await bench.device.credentials.setRest('Service', { hash: oldHash, salt: oldSalt });
  expect(await send(bench, 'Service', [...message.subarray(0, length)])).toEqual({ result: 2 });
});

test('more than 96 items are status 7', async () => {
  const bench = await Bench.open();
  await expect(send(bench, 'Service', [...message, 0])).rejects.toMatchObject({ status: 'outOfBounds' });
});

test('five messages that prove nothing lock, and then the result is 5', async () => {
  const bench = await Bench.open();
  for (let time = 0; time < 5; time++) {
    expect(await change(bench, 'Service', 'wrong', 'x')).toEqual({ result: 2 });
  }
  expect(await send(bench, 'Service', [...message])).toEqual({ result: 5 });
  expect(await send(bench, 'Run', [...message])).toEqual({ result: 4 });
  bench.clock.advance(30_000);
  expect(await change(bench, 'Service', 'servicelevel', 'x')).toEqual({ result: 0 });
});

test('a message that proves something clears the count of failed logins', async () => {
  const bench = await Bench.open();
  for (let time = 0; time < 4; time++) expect(() => bench.logIn('Service', 'wrong')).toThrow();
  expect(await change(bench, 'Service', 'servicelevel', 'x')).toEqual({ result: 0 });
  for (let time = 0; time < 4; time++) expect(() => bench.logIn('Service', 'wrong')).toThrow();
  expect(bench.logIn('Service', 'x')).toEqual({ level: 'Service' });
});

test.each([
  ['Run', { result: 4 }],
  ['Operator', { result: 4 }],
])('the password of %s cannot be changed', async (level, response) => {
  expect(await send(await Bench.open(), level, [...message])).toEqual(response);
});

test.each([
  ['Authorized Client', 'outOfBounds'],
  ['Nobody', 'illegalValue'],
  ['service', 'illegalValue'],
])('the level "%s" is refused with %s', async (level, status) => {
  await expect(send(await Bench.open(), level, [...message])).rejects.toMatchObject({ status });
});

test('the password of a disabled level cannot be changed, with the right message or any other', async () => {
  const bench = await Bench.open();
  const before = bench.device.credentials.rest('Maintenance');
  for (let time = 0; time < 6; time++) {
    expect(await change(bench, 'Maintenance', factoryPassword.Maintenance, 'keys')).toEqual({ result: 4 });
    expect(await change(bench, 'Maintenance', 'wrong', 'keys')).toEqual({ result: 4 });
    expect(await send(bench, 'Maintenance', [])).toEqual({ result: 4 });
  }
  expect(bench.device.credentials.rest('Maintenance')).toBe(before);
  expect(bench.device.access.lockout.locked).toBe(false);
  await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(bench.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
});

test('the lock is told before it is told that a level is disabled', async () => {
  const bench = await Bench.open();
  for (let time = 0; time < 5; time++) expect(await send(bench, 'Service', [])).toEqual({ result: 2 });
  expect(await send(bench, 'Maintenance', [...message])).toEqual({ result: 5 });
});

test('an enabled level changes its own password', async () => {
  const bench = await Bench.open();
  await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(await change(bench, 'Maintenance', factoryPassword.Maintenance, 'keys')).toEqual({ result: 0 });
  expect(bench.logIn('Maintenance', 'keys')).toEqual({ level: 'Maintenance' });
});

test('one level cannot change the password of another one', async () => {
  const bench = await Bench.open();
  const { salt } = bench.device.access.challenge('Service');
  const foreign = encryptedMessage({
    realm,
    oldLogin: { user: 'Maintenance', password: factoryPassword.Maintenance },
    oldSalt: Buffer.from(salt),
    newPassword: 'x',
    newSalt,
    iv: oldSalt,
  });
  expect(await send(bench, 'Service', [...foreign])).toEqual({ result: 2 });
});

test('challenges of before the change are void', async () => {
  const bench = await Bench.open();
  const header = bench.header('checkCredentials');
  await change(bench, 'Service', 'servicelevel', 'x');
  expect(() => bench.device.access.authenticate(header, 'checkCredentials')).toThrow(
    expect.objectContaining({ status: 'invalidChallenge' }),
  );
});

test('a change that cannot be stored leaves the old password in force', async () => {
  const bench = await Bench.open();
  bench.storage.fail('credentials.json', { once: true });
  await expect(change(bench, 'Service', 'servicelevel', 'x')).rejects.toThrow('ENOSPC');
  expect(bench.logIn()).toEqual({ level: 'Service' });
  expect(await change(bench, 'Service', 'servicelevel', 'x')).toEqual({ result: 0 });
  expect(bench.logIn('Service', 'x')).toEqual({ level: 'Service' });
});
