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
});

describe('the level that a call needs', () => {
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
