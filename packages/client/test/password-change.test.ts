import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeDevice } from '../../../tests/support/fake-device.js';
import { Scanner } from '../src/index.js';

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
])('the new password counts from then on, for the scanner object too: %s', async (_, salt) => {
  device.setPassword('Service', 'servicelevel', salt);
  await scanner.changePassword('Service', 'servicelevel', 'newSecret1!');
  await scanner.write('LocationName', 'Gate 3');
  expect(device.values.get('LocationName')).toBe('Gate 3');

  const late = new Scanner({ url: device.url, password: 'servicelevel' });
  await expect(late.write('LocationName', 'Gate 4')).rejects.toMatchObject({ status: 4 });
});

test('no credentials are sent: the message is the proof', async () => {
  await new Scanner({ url: device.url }).changePassword('Service', 'servicelevel', 'newSecret1!');
  expect(device.asked).toEqual(['getChallenge', 'changePassword']);
  expect(device.exchanges[1]?.body).not.toHaveProperty('header');
});

test('the password of another level leaves the own one alone', async () => {
  device.setPassword('Maintenance', 'main', [1, 2]);
  await scanner.changePassword('Maintenance', 'main', 'newMain');
  await scanner.write('LocationName', 'Gate 3');
  expect(device.values.get('LocationName')).toBe('Gate 3');
});

test('a wrong old password is told by its result', async () => {
  await expect(scanner.changePassword('Service', 'guessed', 'newSecret1!')).rejects.toMatchObject({
    name: 'ResultError',
    result: 2,
    message: 'changePassword: NOT_ACCEPTED (2) – the old password is not right',
  });
  await scanner.write('LocationName', 'Gate 3');
});

test.each([
  [4, 'PWD_NOT_CHANGABLE'],
  [5, 'TIMELOCK_ACTIVE'],
])('result %i is %s', async (result, resultName) => {
  device.tell('changePassword', { data: { result } });
  await expect(scanner.changePassword('Service', 'servicelevel', 'x')).rejects.toMatchObject({ resultName });
});
