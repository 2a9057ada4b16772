import { authorizedClient, maintenance, service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

function enable(userLevel: unknown, isEnabled: unknown = true) {
  return client().call('EnableUserLevel', { userLevel, isEnabled });
}

beforeEach(async () => {
  await resetFailedLogins(scanner());
  expectData(await enable(2, false), { result: 0 });
  expectData(await enable(3, false), { result: 0 });
});

describe('EnableUserLevel', () => {
  test('at the factory only Service can log in', async () => {
    expectDone(await client().call('LoadFactoryDefaults'));
    expectDone(await client().call('checkCredentials'));
    expectStatus(await client().call('checkCredentials', undefined, maintenance), 4);
    expectStatus(await client().call('checkCredentials', undefined, authorizedClient), 4);
  });

  test.each([
    [2, maintenance],
    [3, authorizedClient],
  ])('switches level %i on and off, at once', async (userLevel, login) => {
    expectData(await enable(userLevel), { result: 0 });
    expectDone(await client().call('checkCredentials', undefined, login));
    expectData(await enable(userLevel, false), { result: 0 });
    expectStatus(await client().call('checkCredentials', undefined, login), 4);
  });

  test('accepts that Service is on', async () => {
    expectData(await enable(4), { result: 0 });
    expectDone(await client().call('checkCredentials'));
  });

  test('does not accept that Service is off', async () => {
    expectData(await enable(4, false), { result: 2 });
    expectDone(await client().call('checkCredentials'));
  });

  test.each([0, 1, 5, 6, 7, 8, 127, 255])('does not accept level %i, on or off', async (userLevel) => {
    expectData(await enable(userLevel), { result: 2 });
    expectData(await enable(userLevel, false), { result: 2 });
  });

  test.each([
    ['a level below its width', { userLevel: -1, isEnabled: true }, 6],
    ['a level above its width', { userLevel: 256, isEnabled: true }, 6],
    ['a level that is a name', { userLevel: 'Maintenance', isEnabled: true }, 2],
    ['a level that is a fraction', { userLevel: 2.5, isEnabled: true }, 2],
    ['a switch that is a number', { userLevel: 2, isEnabled: 1 }, 2],
    ['a switch that is null', { userLevel: 2, isEnabled: null }, 2],
    ['a member too many', { userLevel: 2, isEnabled: true, x: 1 }, 2],
    ['a missing level', { isEnabled: true }, 1],
    ['a missing switch, its default notwithstanding', { userLevel: 2 }, 1],
    ['a missing switch beside an unknown member', { userLevel: 2, enabled: true }, 1],
    ['no data', undefined, 1],
    ['data that is an array', [2, true], 2],
  ])('refuses %s and changes nothing', async (_, data, status) => {
    expectData(await enable(2), { result: 0 });
    expectStatus(await client().call('EnableUserLevel', data), status);
    expectDone(await client().call('checkCredentials', undefined, maintenance));
  });
});

describe('EnableLegacyUserLevel', () => {
  test.each([2, 3])('switches level %i', async (userLevel) => {
    for (const isEnabled of [true, false]) {
      const reply = await client().call('EnableLegacyUserLevel', { userLevel, isEnabled });
      expectData(reply, { result: true });
    }
  });

  test.each([0, 1, 5, 6, 7])('answers false for level %i, on or off', async (userLevel) => {
    for (const isEnabled of [true, false]) {
      const reply = await client().call('EnableLegacyUserLevel', { userLevel, isEnabled });
      expectData(reply, { result: false });
    }
  });

  test('accepts that Service is on, and not that it is off', async () => {
    for (const isEnabled of [true, false]) {
      const reply = await client().call('EnableLegacyUserLevel', { userLevel: 4, isEnabled });
      expectData(reply, { result: isEnabled });
    }
  });

  test.each([
    ['EnableUserLevel', { userLevel: 2, isEnabled: true }],
    ['EnableLegacyUserLevel', { userLevel: 2, isEnabled: true }],
  ])('%s is denied without a header, and below Service', async (name, data) => {
    expectData(await enable(3), { result: 0 });
    expectStatus(await client().post(name, { data }), 4);
    expectStatus(await client().call(name, data, authorizedClient), 4);
    expectStatus(await client().call('checkCredentials', undefined, maintenance), 4);
  });

  test('refuses a level outside 0 to 7, and one without a switch', async () => {
    expectStatus(await client().call('EnableLegacyUserLevel', { userLevel: 8, isEnabled: true }), 6);
    expectStatus(await client().call('EnableLegacyUserLevel', { userLevel: -1, isEnabled: true }), 6);
    expectStatus(await client().call('EnableLegacyUserLevel', { userLevel: 2 }), 1);
  });

  test('has nothing to do with the levels of REST', async () => {
    expectData(await client().call('EnableLegacyUserLevel', { userLevel: 2, isEnabled: true }), {
      result: true,
    });
    expectStatus(await client().call('checkCredentials', undefined, maintenance), 4);
  });
});

describe('SetPassword', () => {
  const setPassword = (siUserLevel: unknown, udiNewPassword: unknown = 0x81be23aa, login = service) =>
    client().call('SetPassword', { siUserLevel, udiNewPassword }, login);

  test.each([2, 3, 4])('Service sets the legacy password of level %i', async (level) => {
    expectData(await setPassword(level), { bSuccess: true });
  });

  test('does not touch the password of REST', async () => {
    expectData(await setPassword(4, 3410122659), { bSuccess: true });
    expectDone(await client().call('checkCredentials'));
  });

  test.each([0, 1, 5, 9, 127, -1, -128])('answers false for the unknown level %i', async (level) => {
    expectData(await setPassword(level), { bSuccess: false });
  });

  test('a level sets its own password and no other', async () => {
    await enable(2);
    await enable(3);
    expectData(await setPassword(3, 1, authorizedClient), { bSuccess: true });
    expectData(await setPassword(2, 1, maintenance), { bSuccess: true });
    expectStatus(await setPassword(4, 1, authorizedClient), 4);
    expectStatus(await setPassword(2, 1, authorizedClient), 4);
    expectStatus(await setPassword(3, 1, maintenance), 4);
  });

  test('a disabled level does not even set its own', async () => {
    expectStatus(await setPassword(3, 1, authorizedClient), 4);
  });

  test('is denied without a header', async () => {
    expectStatus(await client().post('SetPassword', { data: { siUserLevel: 3, udiNewPassword: 1 } }), 4);
  });

  test('checks its members', async () => {
    expectStatus(await setPassword(128), 6);
    expectStatus(await setPassword(-129), 6);
    expectStatus(await setPassword(3, 2 ** 32), 6);
    expectStatus(await setPassword(3, -1), 6);
    expectStatus(await setPassword('3'), 2);
    expectStatus(await client().call('SetPassword', { siUserLevel: 3 }), 1);
    expectData(await setPassword(3, 2 ** 32 - 1), { bSuccess: true });
  });
});

describe('the level that a call needs', () => {
  test.each([
    ['LocationName', { LocationName: 'Gate 3' }],
    ['EtherAddressingMode', { EtherAddressingMode: 0 }],
    ['ScanDataEnable', { ScanDataEnable: false }],
    ['WriteEeprom', undefined],
    ['EthernetUpdate', undefined],
    ['SetWebserverEnabled', { Enable: true }],
    ['LoadApplicationDefaults', undefined],
  ])('%s: AuthorizedClient and Service may, Maintenance may not', async (name, data) => {
    await enable(2);
    await enable(3);
    expectStatus(await client().call(name, data, maintenance), 4);
    expectStatus(await client().call(name, data, authorizedClient), 0);
    expectStatus(await client().call(name, data, service), 0);
  });

  test.each([
    ['EnableUserLevel', { userLevel: 3, isEnabled: true }],
    ['EnableLegacyUserLevel', { userLevel: 3, isEnabled: true }],
    ['LoadFactoryDefaults', undefined],
  ])('%s: only Service may', async (name, data) => {
    await enable(2);
    await enable(3);
    expectStatus(await client().call(name, data, maintenance), 4);
    expectStatus(await client().call(name, data, authorizedClient), 4);
    expectStatus(await client().call(name, data, service), 0);
  });

  test.each(['RebootDevice', 'SoftReset'])(
    '%s: AuthorizedClient suffices, Maintenance does not',
    async (name) => {
      await enable(2);
      await enable(3);
      const data = name === 'SoftReset' ? { ProcessorNbr: 0 } : undefined;
      expectStatus(await client().call(name, data, maintenance), 4);
      await scanner().throughReboot(async () => {
        expectDone(await client().call(name, data, authorizedClient));
      });
      expect(await client().value('DeviceStatus')).toBe(3);
    },
  );

  test('a denied write changes nothing', async () => {
    await enable(2);
    const before = await client().value('LocationName');
    expectStatus(await client().write('LocationName', 'by Maintenance', maintenance), 4);
    expect(await client().value('LocationName')).toBe(before);
  });

  test('every enabled level can check its credentials', async () => {
    await enable(2);
    await enable(3);
    for (const login of [service, maintenance, authorizedClient]) {
      expectDone(await client().call('checkCredentials', undefined, login));
    }
  });
});
