import { authorizedClient, service } from '@azimuth/test-support/client';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test } from 'vitest';

// Name and verb, then the body, then authentication, then the payload, then the act.

const scanner = sharedScanner();
const client = () => scanner().client();
const wrong = { ...service, password: 'wrong' };

async function lock() {
  for (let failure = 0; failure < 5; failure++) {
    expectStatus(await client().call('checkCredentials', undefined, wrong), 4);
  }
}

beforeEach(async () => {
  await scanner().advance(31_000);
  expectDone(await client().call('checkCredentials'));
});

test.each(['not JSON', '[]', '1', ''])(
  'the status of an unknown name comes before that of the body %j',
  async (body) => {
    expectStatus(await client().postText('Nothing', body), 5);
  },
);

test.each(['not JSON', '[]', '1', ''])(
  'the status of a read-only variable comes before that of the body %j',
  async (body) => {
    expectStatus(await client().postText('DeviceStatus', body), 8);
  },
);

test.each(['WriteEeprom', 'LocationName', 'EnableUserLevel'])(
  'a body of %s that is not a JSON object is status 1, before the missing header',
  async (name) => {
    for (const body of ['not JSON', '[]', '1', '"text"', 'true']) {
      expectStatus(await client().postText(name, body), 1);
    }
  },
);

test('an unknown name, a read-only variable and a broken body have their status also while logins are locked', async () => {
  await lock();
  expectStatus(await client().post('Nothing', {}), 5);
  expectStatus(await client().post('DeviceStatus', {}), 8);
  expectStatus(await client().postText('WriteEeprom', '{'), 1);
});

test('a client without a login learns nothing about the payload', async () => {
  const payloads = [
    undefined,
    {},
    { locationName: 'x' },
    { LocationName: 1 },
    { LocationName: 'x'.repeat(99) },
  ];
  for (const data of payloads) {
    expectStatus(await client().post('LocationName', { data }), 4);
  }
  expectStatus(await client().call('LocationName', { LocationName: 1 }, wrong), 4);
  expectStatus(await client().post('EnableUserLevel', { data: { userLevel: 999 } }), 4);
});

test('the status of a spent challenge comes before that of the payload', async () => {
  const header = await client().header('LocationName');
  expectStatus(await client().post('LocationName', { header, data: { LocationName: 'Gate 3' } }), 0);
  expectStatus(await client().post('LocationName', { header, data: { LocationName: 1 } }), 10);
});

test('the status of a level that is too low comes before that of the payload', async () => {
  expectStatus(await client().call('EnableUserLevel', { userLevel: 3, isEnabled: true }), 0);
  expectStatus(await client().call('LocationName', { LocationName: 1 }, authorizedClient), 2);
  expectStatus(await client().call('EnableUserLevel', { userLevel: 'x' }, authorizedClient), 4);
  expectStatus(await client().call('EnableUserLevel', undefined, authorizedClient), 4);
});

test('the status of a disabled level comes before that of the payload', async () => {
  expectStatus(await client().call('EnableUserLevel', { userLevel: 3, isEnabled: false }), 0);
  expectStatus(await client().call('LocationName', { LocationName: 1 }, authorizedClient), 4);
});

test('with a fault in the payload, a method does nothing', async () => {
  await client().write('LocationName', 'still here');
  const status = await client().get('PowerOnCnt');
  expectStatus(await client().call('SoftReset'), 1);
  expectStatus(await client().call('SoftReset', {}), 1);
  expectStatus(await client().call('SoftReset', { ProcessorNbr: 65536 }), 6);
  expectStatus(await client().call('SoftReset', { ProcessorNbr: 'x' }), 2);
  expectStatus(await client().call('SoftReset', { ProcessorNbr: 1, x: 1 }), 2);
  expect((await client().get('PowerOnCnt')).text).toBe(status.text);
  expect(await client().value('LocationName')).toBe('still here');
  expect(await scanner().isUp()).toBe(true);
});

test('a request whose payload is refused has spent its challenge', async () => {
  const header = await client().header('LocationName');
  expectStatus(await client().post('LocationName', { header, data: { LocationName: 1 } }), 2);
  expectStatus(await client().post('LocationName', { header, data: { LocationName: 'Gate 3' } }), 10);
});
