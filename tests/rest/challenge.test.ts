import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answer, type Challenge, type Client, maintenance, service } from '../support/client.js';
import { expectDone, expectStatus } from '../support/envelope.js';
import {
  expectAccepted,
  expectRefused,
  requestChallenge,
  resetFailedLogins,
  wrongPassword,
} from '../support/failed-logins.js';
import { sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

function headerFor(challenge: Challenge, endpoint = 'checkCredentials') {
  return answer(challenge, service, endpoint);
}

describe('what getChallenge answers', () => {
  test('a realm, a nonce, an opaque value and a salt of 16 non-zero bytes', async () => {
    const { realm, nonce, opaque, salt } = await client().challenge();
    expect(realm).toBe('SICK Sensor');
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    expect(opaque).toMatch(/^[0-9a-f]{64}$/);
    expect(salt).toHaveLength(16);
    expect(salt).not.toContain(0);
  });

  test('the nonce is never the same, the salt belongs to the user level', async () => {
    const first = await client().challenge();
    const second = await client().challenge();
    const other = await client().challenge('Maintenance');
    const third = await client().challenge('AuthorizedClient');
    expect(new Set([first, second, other, third].map(({ nonce }) => nonce)).size).toBe(4);
    expect(second.salt).toEqual(first.salt);
    expect(new Set([first, other, third].map(({ salt }) => salt?.toString('hex'))).size).toBe(3);
  });

  test('a disabled level gets a challenge that looks like any other', async () => {
    const enabled = await requestChallenge(client(), 'Service');
    const disabled = await requestChallenge(client(), 'AuthorizedClient');
    expectStatus(enabled, 0);
    expectStatus(disabled, 0);
    const shape = (text: string) => text.replaceAll(/[0-9a-f]{64}/g, 'hex').replaceAll(/\d+/g, '0');
    expect(shape(disabled.text)).toBe(shape(enabled.text));
    expect(Object.keys(disabled.headers)).toEqual(Object.keys(enabled.headers));
  });

  test.each([
    ['no body', undefined, 1],
    ['an empty object', {}, 1],
    ['no user', { data: {} }, 1],
    ['a lone wrong key', { data: { User: 'Service' } }, 1],
    ['data that is null', { data: null }, 2],
    ['data that is an array', { data: ['Service'] }, 2],
    ['data that is text', { data: 'Service' }, 2],
    ['a user that is null', { data: { user: null } }, 2],
    ['a user that is a number', { data: { user: 4 } }, 2],
    ['a user that is an object', { data: { user: { user: 'Service' } } }, 2],
    ['a member that it does not know', { data: { user: 'Service', level: 4 } }, 2],
    ['the blank form of a name', { data: { user: 'Authorized Client' } }, 7],
    ['a name with a blank around it', { data: { user: 'Service ' } }, 7],
    ['the level Run', { data: { user: 'Run' } }, 3],
    ['the level Operator', { data: { user: 'Operator' } }, 3],
    ['a name in lower case', { data: { user: 'service' } }, 3],
    ['an unknown name', { data: { user: 'Nobody' } }, 3],
    ['an empty name', { data: { user: '' } }, 3],
    ['the name of what every object has', { data: { user: '__proto__' } }, 3],
  ])('%s', async (_, body, status) => {
    expectStatus(await client().post('getChallenge', body), status);
  });

  test('a refused getChallenge leaves the pending challenge alone', async () => {
    const header = headerFor(await client().challenge());
    for (const user of ['Nobody', 'Run', 'Authorized Client', 1]) {
      await client().post('getChallenge', { data: { user } });
    }
    await client().post('getChallenge');
    await expectAccepted(client(), header);
  });
});

describe('a challenge', () => {
  test('is good for one request', async () => {
    const header = headerFor(await client().challenge());
    await expectAccepted(client(), header);
    await expectRefused(client(), header, 10);
    await expectRefused(client(), header, 10);
  });

  test('is spent by a wrong response', async () => {
    const challenge = await client().challenge();
    const wrong = answer(challenge, wrongPassword, 'checkCredentials');
    await expectRefused(client(), wrong, 4);
    await expectRefused(client(), headerFor(challenge), 10);
  });

  test('is spent by a right response for another endpoint', async () => {
    const challenge = await client().challenge();
    await expectRefused(client(), headerFor(challenge, 'WriteEeprom'), 4);
    await expectRefused(client(), headerFor(challenge), 10);
  });

  test('is spent by a right response of a level that is disabled', async () => {
    const challenge = await client().challenge('Maintenance');
    const header = answer(challenge, maintenance, 'checkCredentials');
    await expectRefused(client(), header, 4);
    await expectRefused(client(), header, 10);
  });

  test('is not spent by a header that is not five strings', async () => {
    const header = headerFor(await client().challenge());
    await expectRefused(client(), { ...header, opaque: 1 }, 4);
    await expectRefused(client(), { ...header, user: undefined }, 4);
    await expectAccepted(client(), header);
  });

  test('is not spent by a call that needs none', async () => {
    const challenge = await client().challenge();
    const header = headerFor(challenge, 'GetWebserverEnabled');
    expectStatus(await client().post('GetWebserverEnabled', { header }), 0);
    await expectAccepted(client(), headerFor(challenge));
  });

  test('stays good beside others of its level, whichever is used first', async () => {
    const challenges = [await client().challenge(), await client().challenge(), await client().challenge()];
    for (const challenge of challenges.reverse()) await expectAccepted(client(), headerFor(challenge));
  });

  test('is not touched by a failure with another one', async () => {
    const header = headerFor(await client().challenge());
    expectStatus(await client().call('checkCredentials', undefined, wrongPassword), 4);
    await expectAccepted(client(), header);
  });
});

test('forty clients at once get through', async () => {
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => client().write('LocationName', `client ${index}`)),
  );
  for (const reply of replies) expectDone(reply);
});

/** Fetches challenges and uses none of them. */
async function fetchUnused(keeping: Client, count: number, users: readonly string[] = ['Service']) {
  for (let index = 0; index < count; index++) {
    expectStatus(await requestChallenge(keeping, users[index % users.length]), 0);
  }
}

describe('50 unused challenges', () => {
  const levels = ['Service', 'Maintenance', 'AuthorizedClient'];
  let keeping: Client;

  beforeEach(() => {
    keeping = scanner().client({ keepAlive: true });
    onTestFinished(() => keeping.close());
  });

  test('are a flood: getChallenge is denied for 3 seconds', async () => {
    await fetchUnused(keeping, 49);
    await requestChallenge(keeping);
    expectStatus(await requestChallenge(keeping), 4);
    await scanner().advance(2_000);
    expectStatus(await requestChallenge(keeping), 4);
    await scanner().advance(1_000);
    expectStatus(await requestChallenge(keeping), 0);
  });

  test('for different levels are a flood as well', async () => {
    await fetchUnused(keeping, 49, levels);
    await requestChallenge(keeping);
    for (const user of levels) expectStatus(await requestChallenge(keeping, user), 4);
  });
});
