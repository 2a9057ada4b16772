import { statusOf } from '@azimuth/test-support/client';
import { expectData, expectStatus } from '@azimuth/test-support/envelope';
import {
  expectLocked,
  expectNotCounted,
  expectNotLocked,
  expectRefused,
  failLogins,
  resetFailedLogins,
} from '@azimuth/test-support/failed-logins';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

test('five failed logins in a row lock logins until the time is over', async () => {
  await failLogins(client(), 5);
  await expectLocked(client());
  await scanner().advance(30_000);
  await expectNotLocked(client());
});

test('reads and calls without authentication work during the lock', async () => {
  await failLogins(client(), 5);
  expectStatus(await client().get('LocationName'), 0);
  expectData(await client().post('GetWebserverEnabled'), { IsEnabled: true });
});

test('during the lock, getChallenge still reports what is missing in its body, but nothing about names', async () => {
  await failLogins(client(), 5);
  expectStatus(await client().post('getChallenge'), 1);
  expectStatus(await client().post('getChallenge', { data: { user: 4 } }), 2);
  expectStatus(await client().post('getChallenge', { data: { user: 'Nobody' } }), 4);
  expectStatus(await client().post('getChallenge', { data: { user: 'Authorized Client' } }), 4);
});

test('of twenty simultaneous wrong logins only five are checked, and a right login after them is refused', async () => {
  const headers = [];
  for (let count = 0; count < 21; count++) headers.push(await client().header('checkCredentials'));
  const late = headers.pop();
  const wrong = headers.map((header) => ({ ...header, response: '0'.repeat(64) }));
  await Promise.all(wrong.map((header) => expectRefused(client(), header, 4)));
  await expectRefused(client(), late, 4);
  await scanner().advance(30_000);
  const replies = await Promise.all(headers.map((header) => client().post('checkCredentials', { header })));
  const statuses = replies.map(statusOf);
  expect(statuses.filter((status) => status === 10)).toHaveLength(5);
  expect(statuses.filter((status) => status === 0)).toHaveLength(15);
});

test('a wrong header does not count if the call needs no login', async () => {
  await expectNotCounted(client(), async () => {
    const header = { ...(await client().header('GetWebserverEnabled')), response: '0'.repeat(64) };
    expectData(await client().post('GetWebserverEnabled', { header }), { IsEnabled: true });
    expectStatus(await client().post('getChallenge', { header, data: { user: 'Service' } }), 0);
  });
});

test('a right login resets the count, even if the payload of the request is refused', async () => {
  await failLogins(client(), 4);
  expectStatus(await client().write('LocationName', 1), 2);
  await failLogins(client(), 4);
  await expectNotLocked(client());
});
