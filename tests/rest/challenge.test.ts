import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { requestChallenge, resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

test('a disabled level gets a challenge that looks like any other', async () => {
  const enabled = await requestChallenge(client(), 'Service');
  const disabled = await requestChallenge(client(), 'AuthorizedClient');
  expectStatus(enabled, 0);
  expectStatus(disabled, 0);
  const shape = (text: string) => text.replaceAll(/[0-9a-f]{64}/g, 'hex').replaceAll(/\d+/g, '0');
  expect(shape(disabled.text)).toBe(shape(enabled.text));
  expect(Object.keys(disabled.headers)).toEqual(Object.keys(enabled.headers));
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
