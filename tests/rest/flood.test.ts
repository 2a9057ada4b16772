import { afterEach, beforeEach, test } from 'vitest';
import type { Client } from '../support/client.js';
import { expectStatus } from '../support/envelope.js';
import { requestChallenge, resetFailedLogins } from '../support/failed-logins.js';
import { sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
let client: Client;

beforeEach(async () => {
  await resetFailedLogins(scanner());
  client = scanner().client({ keepAlive: true });
});

afterEach(() => client.close());

/** Fetches challenges and uses none of them. */
async function fetchUnused(count: number, users: readonly string[] = ['Service']) {
  for (let index = 0; index < count; index++) {
    expectStatus(await requestChallenge(client, users[index % users.length]), 0);
  }
}

test('after 50 unused challenges getChallenge is denied for 3 seconds', async () => {
  await fetchUnused(49);
  await requestChallenge(client);
  expectStatus(await requestChallenge(client), 4);
  await scanner().advance(2_000);
  expectStatus(await requestChallenge(client), 4);
  await scanner().advance(1_000);
  expectStatus(await requestChallenge(client), 0);
});

test('a flood of challenges for different levels is a flood', async () => {
  await fetchUnused(49, ['Service', 'Maintenance', 'AuthorizedClient']);
  await requestChallenge(client);
  for (const user of ['Service', 'Maintenance', 'AuthorizedClient']) {
    expectStatus(await requestChallenge(client, user), 4);
  }
});
