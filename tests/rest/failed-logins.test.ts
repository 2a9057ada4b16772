import { beforeEach, describe, expect, test } from 'vitest';
import {
  answer,
  authorizedClient,
  hash1,
  maintenance,
  response,
  service,
  sha256,
} from '../support/client.js';
import { expectData, expectStatus } from '../support/envelope.js';
import {
  expectAccepted,
  expectCounted,
  expectLocked,
  expectNotCounted,
  expectNotLocked,
  expectRefused,
  failLogins,
  resetFailedLogins,
  wrongPassword,
} from '../support/failed-logins.js';
import { changePassword, sendMessage } from '../support/password-change.js';
import { sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
const client = () => scanner().client();
const endpoint = 'checkCredentials';

beforeEach(async () => {
  await resetFailedLogins(scanner());
  for (const userLevel of [2, 3]) await client().call('EnableUserLevel', { userLevel, isEnabled: false });
});

test('five failed logins in a row lock', async () => {
  await failLogins(client(), 5);
  await expectLocked(client());
});

describe('a failed login that counts', () => {
  test.each([
    ['on a method', 'WriteEeprom'],
    ['on a write', 'LocationName'],
    ['on EnableUserLevel', 'EnableUserLevel'],
  ])('a wrong password %s', async (_, name) => {
    await expectCounted(client(), async () => {
      expectStatus(await client().call(name, undefined, wrongPassword), 4);
    });
  });

  test('a hash computed for another endpoint', async () => {
    await expectCounted(client(), async () => {
      await expectRefused(client(), await client().header('WriteEeprom'), 4);
    });
  });

  test.each([`POST:/${endpoint}`, `POST:/api/${endpoint}`, `GET:${endpoint}`, endpoint])(
    'a hash of "%s"',
    async (text) => {
      await expectCounted(client(), async () => {
        const challenge = await client().challenge();
        const first = hash1(service, challenge.realm, challenge.salt);
        const wrong = sha256(`${first}:${challenge.nonce}:${sha256(text)}`);
        await expectRefused(client(), { ...answer(challenge, service, endpoint), response: wrong }, 4);
      });
    },
  );

  test('an unsalted hash where a salt is given', async () => {
    await expectCounted(client(), async () => {
      const challenge = await client().challenge();
      await expectRefused(client(), answer({ ...challenge, salt: undefined }, service, endpoint), 4);
    });
  });

  test('a salt taken as text and not as bytes', async () => {
    await expectCounted(client(), async () => {
      const challenge = await client().challenge();
      const salt = Buffer.from(JSON.stringify([...(challenge.salt ?? [])]));
      await expectRefused(client(), answer({ ...challenge, salt }, service, endpoint), 4);
    });
  });

  test('a salt that follows the password without a colon', async () => {
    await expectCounted(client(), async () => {
      const challenge = await client().challenge();
      const first = sha256(`Service:${challenge.realm}:servicelevel`, challenge.salt ?? '');
      const wrong = response(first, challenge.nonce, endpoint);
      await expectRefused(client(), { ...answer(challenge, service, endpoint), response: wrong }, 4);
    });
  });

  test.each([
    ['user', 'AuthorizedClient'],
    ['user', 'service'],
    ['user', 'Nobody'],
    ['user', ''],
    ['realm', 'Another Sensor'],
    ['realm', ''],
    ['opaque', '0'.repeat(64)],
    ['opaque', ''],
    ['response', ''],
    ['response', '0'.repeat(64)],
    ['response', 'ü'.repeat(64)],
    ['response', 'x'.repeat(500)],
  ])('a right header but for %s %j', async (member, value) => {
    await expectCounted(client(), async () => {
      await expectRefused(client(), { ...(await client().header(endpoint)), [member]: value }, 4);
    });
  });

  test('another realm that the hash was made with', async () => {
    await expectCounted(client(), async () => {
      const challenge = { ...(await client().challenge()), realm: 'Another Sensor' };
      await expectRefused(client(), answer(challenge, service, endpoint), 4);
    });
  });

  test('the challenge of one level answered with the right password of another', async () => {
    await expectCounted(client(), async () => {
      const challenge = await client().challenge('Service');
      await expectRefused(client(), answer(challenge, authorizedClient, endpoint), 4);
    });
  });

  test('a response in capital letters', async () => {
    await expectCounted(client(), async () => {
      const header = await client().header(endpoint);
      await expectRefused(client(), { ...header, response: header.response.toUpperCase() }, 4);
    });
  });

  test('a password message with a wrong mac, and one that is not 96 bytes long', async () => {
    await failLogins(client(), 3);
    expectData(await sendMessage(client(), 'Service', Buffer.alloc(96)), { result: 2 });
    await expectNotLocked(client());
    expectData(await sendMessage(client(), 'Service', Buffer.alloc(95)), { result: 2 });
    await expectLocked(client());
  });
});

describe('a refused request that does not count', () => {
  test.each(['main', 'wrong'])('a login at a level that is disabled, password "%s"', async (password) => {
    await expectNotCounted(client(), async () => {
      const header = await client().header(endpoint, { ...maintenance, password });
      await expectRefused(client(), header, 4);
      await expectRefused(client(), header, 10);
    });
  });

  test.each([
    ['the right message', 'main'],
    ['a wrong message', 'wrong'],
  ])('%s for the password of a level that is disabled', async (_, password) => {
    await expectNotCounted(client(), async () => {
      expectData(await changePassword(client(), { ...maintenance, password }, 'mine'), { result: 4 });
    });
  });

  test.each([
    ['no body', undefined],
    ['no header', {}],
    ['a header that is null', { header: null }],
    ['a header that is empty', { header: {} }],
    ['a header that is text', { header: 'Service' }],
    ['a header that is an array', { header: ['Service', 'a', 'b', 'c', 'd'] }],
  ])('%s', async (_, body) => {
    await expectNotCounted(client(), async () => {
      expectStatus(await client().post(endpoint, body), 4);
    });
  });

  test.each(['user', 'realm', 'nonce', 'opaque', 'response'])('a header without %s', async (member) => {
    await expectNotCounted(client(), async () => {
      const header = await client().header(endpoint);
      await expectRefused(client(), { ...header, [member]: undefined }, 4);
    });
  });

  test.each(['user', 'realm', 'nonce', 'opaque', 'response'])(
    'a header whose %s is no string',
    async (member) => {
      const values: unknown[] = [null, 1, true, ['x'], { x: 'x' }, 0];
      await expectNotCounted(client(), async () => {
        const header = await client().header(endpoint);
        await expectRefused(client(), { ...header, [member]: values.pop() }, 4);
      });
      expect(values).toEqual([]);
    },
  );

  test('a nonce that this scanner never issued', async () => {
    await expectNotCounted(client(), async () => {
      const challenge = await client().challenge();
      await expectRefused(client(), answer({ ...challenge, nonce: '0'.repeat(64) }, service, endpoint), 4);
      await expectRefused(client(), answer({ ...challenge, nonce: '' }, service, endpoint), 4);
      await expectRefused(client(), answer({ ...challenge, nonce: '__proto__' }, service, endpoint), 4);
    });
  });

  test('a challenge that was spent, with a right response and with a wrong one', async () => {
    const spent = await client().challenge();
    await expectAccepted(client(), answer(spent, service, endpoint));
    await expectNotCounted(client(), async () => {
      await expectRefused(client(), answer(spent, service, endpoint), 10);
      await expectRefused(client(), answer(spent, wrongPassword, endpoint), 10);
    });
  });

  test('a challenge that another level has invalidated', async () => {
    await expectNotCounted(client(), async () => {
      const header = await client().header(endpoint);
      await client().challenge('Maintenance');
      await expectRefused(client(), header, 10);
    });
  });

  test('a challenge that has expired', async () => {
    const expired = await client().challenge();
    await scanner().advance(61_000);
    await expectNotCounted(client(), async () => {
      await expectRefused(client(), answer(expired, wrongPassword, endpoint), 10);
    });
  });

  test('a wrong header on a call that needs none', async () => {
    await expectNotCounted(client(), async () => {
      const header = { ...(await client().header('GetWebserverEnabled')), response: '0'.repeat(64) };
      expectData(await client().post('GetWebserverEnabled', { header }), { IsEnabled: true });
      expectStatus(await client().post('getChallenge', { header, data: { user: 'Service' } }), 0);
    });
  });

  test('a getChallenge for a name that does not exist', async () => {
    await expectNotCounted(client(), async () => {
      expectStatus(await client().post('getChallenge', { data: { user: 'Nobody' } }), 3);
    });
  });
});

test('a right response whose payload is refused puts the count at 0', async () => {
  await failLogins(client(), 4);
  expectStatus(await client().write('LocationName', 1), 2);
  await failLogins(client(), 4);
  await expectNotLocked(client());
});
