import { afterEach, beforeEach, expect, test } from 'vitest';
import { answer, type Client, service } from '../support/client.js';
import { expectDone, expectStatus } from '../support/envelope.js';
import { calm, expectAccepted, requestChallenge, wrongPassword } from '../support/failures.js';
import { sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
let client: Client;

beforeEach(async () => {
  await calm(scanner());
  client = scanner().client({ keepAlive: true });
});

afterEach(() => client.close());

/** Fetches challenges and uses none of them. */
async function fetchUnused(count: number, users: readonly string[] = ['Service']) {
  for (let index = 0; index < count; index++) {
    expectStatus(await requestChallenge(client, users[index % users.length]), 0);
  }
}

test('49 unused challenges are no flood', async () => {
  await fetchUnused(49);
  await scanner().advance(2_000);
  await fetchUnused(49);
});

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

test('a flood does not lock: a challenge fetched before is still good', async () => {
  const header = await client.header('checkCredentials');
  await fetchUnused(48);
  await requestChallenge(client);
  expectStatus(await requestChallenge(client), 4);
  await expectAccepted(client, header);
});

test('a flood is no failed login', async () => {
  await fetchUnused(49);
  await requestChallenge(client);
  for (let time = 0; time < 10; time++) expectStatus(await requestChallenge(client), 4);
  await scanner().advance(3_000);
  expectDone(await client.call('checkCredentials'));
});

test('who alternates challenge and POST never trips it, however fast', async () => {
  for (let time = 0; time < 300; time++) expectDone(await client.call('checkCredentials'));
});

test('a POST that is refused has used its challenge, too', async () => {
  for (let time = 0; time < 120; time++) {
    if (time % 4 === 0) expectStatus(await client.call('checkCredentials', undefined, wrongPassword), 4);
    else expectStatus(await client.write('LocationName', time), 2);
  }
});

test('challenges that are used in the end are not counted', async () => {
  for (let round = 0; round < 4; round++) {
    const challenges = await Promise.all(Array.from({ length: 30 }, () => client.challenge()));
    for (const challenge of challenges) {
      await expectAccepted(client, answer(challenge, service, 'checkCredentials'));
    }
  }
  expect(await client.value('DeviceStatus')).toBe(3);
});
