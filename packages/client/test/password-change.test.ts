import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Scanner } from '../src/index.js';
import { encryptedMessage, freshBytes } from '../src/password-change.js';

const counting = (from: number) => Uint8Array.from({ length: 16 }, (_, index) => from + index);
const change = {
  user: 'Service',
  realm: 'SICK Sensor',
  oldSalt: [...counting(0x10)],
  oldPassword: 'servicelevel',
  newPassword: 'newSecret1!',
};
const fresh = { iv: counting(0), newSalt: counting(0x20) };

test('the message is that of the published vector', () => {
  const message = encryptedMessage(change, fresh);
  expect(Buffer.from(message).toString('hex')).toBe(
    '000102030405060708090a0b0c0d0e0f8e846c024b4e05226e0937370bcbf0e00d3e63a70c7dbf50861accd7416e796d' +
      '6eb71231f79c58548cfde0b1d26dbebf7828ec24ce676b0d01965fbc94eed37fda6ee24a5935076ad42b3263f41f7c04',
  );
});

test('without a salt the new hash is padded instead', () => {
  const hash = (password: string) => createHash('sha256').update(`Service:SICK Sensor:${password}`).digest();
  const old = hash('servicelevel');
  const cipher = createCipheriv('aes-128-cbc', old.subarray(0, 16), fresh.iv);
  const sealed = Buffer.concat([fresh.iv, cipher.update(hash('newSecret1!')), cipher.final()]);
  const expected = Buffer.concat([sealed, createHmac('sha256', old).update(sealed).digest()]);

  const message = encryptedMessage({ ...change, oldSalt: [] }, fresh);
  expect(message).toHaveLength(96);
  expect(Buffer.from(message).equals(expected)).toBe(true);
});

test('the random part is new each time', () => {
  const [one, other] = [freshBytes(), freshBytes()];
  const hex = [one.iv, one.newSalt, other.iv, other.newSalt].map((bytes) =>
    Buffer.from(bytes).toString('hex'),
  );
  expect(new Set(hex).size).toBe(4);
  expect(hex.every((text) => text.length === 32)).toBe(true);
});

let device: FakeDevice;
let scanner: Scanner;

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
});
afterEach(() => device.stop());

test.each([
  ['salted', Array.from({ length: 16 }, (_, index) => index + 1)],
  ['unsalted', undefined],
])('the new password is used from then on, also by the scanner object: %s', async (_, salt) => {
  device.setPassword('Service', 'servicelevel', salt);
  await scanner.changePassword('Service', 'servicelevel', 'newSecret1!');
  await scanner.write('LocationName', 'Gate 3');
  expect(device.values.get('LocationName')).toBe('Gate 3');

  const late = new Scanner({ url: device.url, password: 'servicelevel' });
  await expect(late.write('LocationName', 'Gate 4')).rejects.toMatchObject({ status: 4 });
});

test('no other credentials are sent', async () => {
  await new Scanner({ url: device.url }).changePassword('Service', 'servicelevel', 'newSecret1!');
  expect(device.requests).toEqual(['getChallenge', 'changePassword']);
  expect(device.exchanges[1]?.body).not.toHaveProperty('header');
});

test('changing the password of another level keeps the own one', async () => {
  device.setPassword('Maintenance', 'main', [1, 2]);
  await scanner.changePassword('Maintenance', 'main', 'newMain');
  await scanner.write('LocationName', 'Gate 3');
  expect(device.values.get('LocationName')).toBe('Gate 3');
});

test('a wrong old password is reported as its result', async () => {
  await expect(scanner.changePassword('Service', 'guessed', 'newSecret1!')).rejects.toMatchObject({
    name: 'ResultError',
    result: 2,
    message: 'changePassword: NOT_ACCEPTED (2) – the old password is wrong',
  });
  await scanner.write('LocationName', 'Gate 3');
});

test.each([
  [4, 'PWD_NOT_CHANGABLE'],
  [5, 'TIMELOCK_ACTIVE'],
])('result %i is %s', async (result, resultName) => {
  device.prepare('changePassword', { data: { result } });
  await expect(scanner.changePassword('Service', 'servicelevel', 'x')).rejects.toMatchObject({ resultName });
});
