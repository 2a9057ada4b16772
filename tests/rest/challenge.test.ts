import { answer, type Challenge, service } from '@azimuth/test-support/client';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import {
  expectAccepted,
  expectRefused,
  requestChallenge,
  resetFailedLogins,
} from '@azimuth/test-support/failed-logins';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

function headerFor(challenge: Challenge) {
  return answer(challenge, service, 'checkCredentials');
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
    ['the name of a level with a blank', { data: { user: 'Authorized Client' } }, 7],
    ['an unknown name', { data: { user: 'Nobody' } }, 3],
  ])('%s', async (_, body, status) => {
    expectStatus(await client().post('getChallenge', body), status);
  });
});

test('a challenge is valid for one request', async () => {
  const header = headerFor(await client().challenge());
  await expectAccepted(client(), header);
  await expectRefused(client(), header, 10);
});

test('forty clients log in at the same time', async () => {
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => client().write('LocationName', `client ${index}`)),
  );
  for (const reply of replies) expectDone(reply);
});

test('the flood protection refuses getChallenge', async () => {
  const keeping = scanner().client({ keepAlive: true });
  onTestFinished(() => keeping.close());
  for (let index = 0; index < 50; index++) expectStatus(await requestChallenge(keeping), 0);
  expectStatus(await requestChallenge(keeping), 4);
});
