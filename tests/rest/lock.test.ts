import { beforeEach, expect, test } from 'vitest';
import { service, statusOf } from '../support/client.js';
import { expectData, expectDone, expectStatus } from '../support/envelope.js';
import {
  expectLocked,
  expectNotLocked,
  expectRefused,
  failLogins,
  resetFailedLogins,
} from '../support/failed-logins.js';
import { messageFor, sendMessage } from '../support/password-change.js';
import { ProcessBench, sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

test('the lock holds for 30 seconds and then the count is 0', async () => {
  await failLogins(client(), 5);
  await scanner().advance(25_000);
  await expectLocked(client());
  await scanner().advance(5_000);
  await expectNotLocked(client());
  await failLogins(client(), 4);
  await expectNotLocked(client());
  await failLogins(client(), 1);
  await expectLocked(client());
});

test('during the lock a spent challenge and a missing header are denied like the rest', async () => {
  const header = await client().header('checkCredentials');
  expectDone(await client().post('checkCredentials', { header }));
  await failLogins(client(), 5);
  await expectRefused(client(), header, 4);
  await expectRefused(client(), undefined, 4);
});

test('a write is not done during the lock', async () => {
  expectDone(await client().write('LocationName', 'before'));
  const header = await client().header('LocationName');
  await failLogins(client(), 5);
  expectStatus(await client().post('LocationName', { header, data: { LocationName: 'after' } }), 4);
  expect(await client().value('LocationName')).toBe('before');
});

test('changePassword answers that the time lock is active, even to the right message', async () => {
  const message = await messageFor(client(), service, 'never in force');
  await failLogins(client(), 5);
  expectData(await sendMessage(client(), 'Service', message), { result: 5 });
  await scanner().advance(30_000);
  expectDone(await client().call('checkCredentials'));
});

test('reads and calls without authentication go on during the lock', async () => {
  await failLogins(client(), 5);
  expectStatus(await client().get('LocationName'), 0);
  expectData(await client().post('GetWebserverEnabled'), { IsEnabled: true });
});

test('getChallenge says what it misses before it says that it is locked, and nothing about names', async () => {
  await failLogins(client(), 5);
  expectStatus(await client().post('getChallenge'), 1);
  expectStatus(await client().post('getChallenge', { data: { user: 4 } }), 2);
  expectStatus(await client().post('getChallenge', { data: { user: 'Nobody' } }), 4);
  expectStatus(await client().post('getChallenge', { data: { user: 'Authorized Client' } }), 4);
});

test('of twenty wrong logins at once five are tried, and a right one after them comes too late', async () => {
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

test('a reboot does not put the count of failed logins at 0', async () => {
  const rebooting = await new ProcessBench().start([], { bootTime: 2 });
  await failLogins(rebooting.client(), 4);
  await rebooting.powerCycle();
  await failLogins(rebooting.client(), 1);
  await expectLocked(rebooting.client());
});

test.runIf(process.platform !== 'darwin')('the lock is for every client', async () => {
  await failLogins(client(), 5);
  await expectLocked(scanner().client({ localAddress: '127.0.0.2' }));
});

test.runIf(process.platform !== 'darwin')('failures of different clients are failures in a row', async () => {
  await failLogins(client(), 3);
  await failLogins(scanner().client({ localAddress: '127.0.0.2' }), 2);
  await expectLocked(client());
});
