import {
  basicSettings,
  device as deviceGroup,
  ethernet,
  PasswordResult,
  type Variable,
} from '@azimuth/model';
import { encryptedMessage } from '@azimuth/test-support/password-change';
import { atService, factoryPassword, TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const { LocationName } = deviceGroup.members;
const { AutoStartMeasure } = basicSettings.members;
const { EtherIPAddress } = ethernet.members;

test('a scanner holds more than it can give away while it saves', async () => {
  const { device, storage, call } = await saving();
  const writing = storage.delay('parameters.json');
  const save = call();
  await promisesSettled();
  expect(device.keep()).toBeUndefined();
  writing.open();
  await save;
  expect(device.keep()?.saves).toEqual([
    ['stored', 1],
    ['failed', 0],
  ]);
});

test('a scanner whose save has failed gives away what is not saved', async () => {
  const { device, storage, call } = await saving();
  storage.fail('parameters.json', { once: true });
  await expect(call()).rejects.toThrow();
  expect(device.keep()).toMatchObject({
    unsaved: { LocationName: 'Hall 7' },
    saves: [
      ['stored', 0],
      ['failed', 1],
    ],
  });
});

test('a scanner gives nothing away while a password changes', async () => {
  const testDevice = await TestDevice.open();
  const { device, storage } = testDevice;
  const { realm, salt } = device.access.challenge('Service');
  const message = encryptedMessage({
    realm,
    oldLogin: { user: 'Service', password: factoryPassword.Service },
    oldSalt: Buffer.from(salt),
    newPassword: 'another',
    newSalt: Buffer.alloc(16),
    iv: Buffer.alloc(16),
  });
  const writing = storage.delay('credentials.json');
  const changing = testDevice.respond('changePassword', {
    encryptedMessage: [...message],
    userLevel: 'Service',
  });
  await promisesSettled();
  expect(device.keep()).toBeUndefined();
  writing.open();
  expect(await changing).toEqual({ result: PasswordResult.SUCCESS });
  expect(device.keep()).toBeDefined();
});

test.each<[string, Variable<unknown>, unknown]>([
  ['its address', EtherIPAddress, [192, 168, 7, 7]],
  ['its start', AutoStartMeasure, false],
])(
  'a scanner gives nothing away after a write that comes into force at a boot: %s',
  async (_, variable, value) => {
    const testDevice = await TestDevice.open();
    testDevice.device.write(variable, value, atService);
    expect(testDevice.device.keep()).toBeUndefined();
    await testDevice.call('WriteEeprom');
    expect(testDevice.device.keep()).toBeUndefined();
  },
);

test('a scanner that has lost data shows it until it is stored again, also if it is started again', async () => {
  const first = await TestDevice.open();
  first.storage.documents.set('operating.json', Buffer.from('no counters'));
  const second = await first.afterPowerCut();
  const { inForce } = second.context.conditions;
  expect(inForce).toEqual({ DS_RecoverableError: ['lost operating counters'] });
  const kept = second.device.keep();
  if (kept === undefined) throw new Error('it holds no more than this');
  const third = await second.afterPowerCut();
  third.device.takeUp(kept);
  expect(third.context.conditions.inForce).toEqual(inForce);
});

/** A scanner with a value that is not saved. `call` saves it. */
async function saving() {
  const testDevice = await TestDevice.open();
  testDevice.device.write(LocationName, 'Hall 7', atService);
  const { device, storage } = testDevice;
  return { device, storage, call: () => testDevice.call('WriteEeprom') };
}
