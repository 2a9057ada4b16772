import { beforeEach, expect, test } from 'vitest';
import type { Header } from '../../../../tests/support/client.js';
import { Bench } from '../../../../tests/support/device-test-bench.js';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

/** The status that a header is refused with, or the level it proves. */
function outcome(header: unknown, endpoint = 'checkCredentials'): string {
  try {
    return bench.device.access.authenticate(header, endpoint).level;
  } catch (error) {
    return error instanceof Error && 'status' in error ? String(error.status) : String(error);
  }
}

/** How many wrong logins it takes to lock: five, less those that were counted. */
function failuresLeft(): number {
  for (let count = 1; ; count++) {
    outcome(bench.header('checkCredentials', 'Service', 'wrong'));
    if (bench.device.access.lockout.locked) return count;
  }
}

test('no header, or not five strings, is status 4 and counts for nothing', () => {
  const { user, realm, nonce, opaque, response } = bench.header('checkCredentials');
  const broken = [
    undefined,
    null,
    [],
    'Service',
    {},
    { user, realm, nonce, opaque },
    { user, realm, nonce, response },
    { user, realm, opaque, response },
    { user, nonce, opaque, response },
    { realm, nonce, opaque, response },
    { user, realm, nonce: 7, opaque, response },
    { user, realm, nonce, opaque, response: null },
  ];
  for (const header of broken) expect(outcome(header)).toBe('accessDenied');
  expect(outcome({ user, realm, nonce, opaque, response })).toBe('Service');
  expect(failuresLeft()).toBe(5);
});

test('a nonce that was never issued is status 4 and counts for nothing', () => {
  const header = bench.header('checkCredentials');
  for (const nonce of ['', 'f'.repeat(64), header.opaque]) {
    expect(outcome({ ...header, nonce })).toBe('accessDenied');
  }
  expect(outcome(header)).toBe('Service');
  expect(failuresLeft()).toBe(5);
});

test('a nonce that was spent is status 10 and counts for nothing', () => {
  const header = bench.header('checkCredentials');
  expect(outcome(header)).toBe('Service');
  for (let time = 0; time < 6; time++) expect(outcome(header)).toBe('invalidChallenge');
  expect(failuresLeft()).toBe(5);
});

test('a nonce that has expired is status 10, with the right response and with a wrong one', () => {
  const right = bench.header('checkCredentials');
  const wrong = bench.header('checkCredentials', 'Service', 'wrong');
  bench.clock.advance(60_000);
  expect(outcome(right)).toBe('invalidChallenge');
  expect(outcome(wrong)).toBe('invalidChallenge');
  expect(failuresLeft()).toBe(5);
});

test('a nonce voided by a challenge for another level is status 10', () => {
  const header = bench.header('checkCredentials');
  bench.device.access.challenge('Maintenance');
  expect(outcome(header)).toBe('invalidChallenge');
});

test('a nonce of before a reboot or a restart is status 10', async () => {
  const beforeReboot = bench.header('checkCredentials');
  await bench.reboot();
  expect(outcome(beforeReboot)).toBe('invalidChallenge');
  const beforeCut = bench.header('checkCredentials');
  bench = await bench.afterPowerCut();
  expect(outcome(beforeCut)).toBe('invalidChallenge');
});

test('a nonce of another scanner is status 4', async () => {
  const header = bench.header('checkCredentials');
  bench = await Bench.open({ random: { bytes: (count) => new Uint8Array(count).fill(7) } });
  expect(outcome(header)).toBe('accessDenied');
});

const spoiled: readonly [string, (header: Header) => Header][] = [
  ['user', (header) => ({ ...header, user: 'Maintenance' })],
  ['realm', (header) => ({ ...header, realm: 'sick sensor' })],
  ['opaque', (header) => ({ ...header, opaque: '0'.repeat(64) })],
  ['response', (header) => ({ ...header, response: '0'.repeat(64) })],
  ['case of the response', (header) => ({ ...header, response: header.response.toUpperCase() })],
];

test.each(spoiled)('a wrong %s is status 4, spends the challenge and counts', (_, spoil) => {
  const header = bench.header('checkCredentials');
  expect(outcome(spoil(header))).toBe('accessDenied');
  expect(outcome(header)).toBe('invalidChallenge');
  expect(failuresLeft()).toBe(4);
});

test('a response for another endpoint is wrong', () => {
  expect(outcome(bench.header('WriteEeprom'), 'LocationName')).toBe('accessDenied');
  expect(failuresLeft()).toBe(4);
});

test.each(['main', 'wrong'])(
  'a disabled level is status 4 and spends the challenge: password "%s"',
  (password) => {
    for (let time = 0; time < 6; time++) {
      const header = bench.header('checkCredentials', 'Maintenance', password);
      expect(outcome(header)).toBe('accessDenied');
      expect(outcome(header)).toBe('invalidChallenge');
    }
    expect(failuresLeft()).toBe(5);
  },
);

test('a challenge of an enabled level counts, whatever user the header names', () => {
  expect(outcome({ ...bench.header('checkCredentials'), user: 'Maintenance' })).toBe('accessDenied');
  expect(failuresLeft()).toBe(4);
});

test('a level that is switched on gets in at once', async () => {
  await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(outcome(bench.header('checkCredentials', 'Maintenance'))).toBe('Maintenance');
});

test('the lock comes before everything else', () => {
  const spent = bench.header('checkCredentials');
  expect(outcome(spent)).toBe('Service');
  const right = bench.header('checkCredentials');
  failuresLeft();
  for (const header of [undefined, { ...right, nonce: '' }, spent, right]) {
    expect(outcome(header)).toBe('accessDenied');
  }
});

test.each([
  ['Service', undefined],
  ['Maintenance', undefined],
  ['AuthorizedClient', undefined],
  ['Authorized Client', 'outOfBounds'],
  [' Service', 'outOfBounds'],
  ['Run', 'internalServerError'],
  ['Operator', 'internalServerError'],
  ['service', 'internalServerError'],
  ['', 'internalServerError'],
  ['toString', 'internalServerError'],
])('a challenge for "%s" is refused with %s', async (user, status) => {
  const challenge = bench.respond('getChallenge', { user });
  if (status === undefined) await expect(challenge).resolves.toMatchObject({ realm: 'SICK Sensor' });
  else await expect(challenge).rejects.toMatchObject({ status });
});

test('salts are 16 bytes, none of them zero, and each level has its own', async () => {
  bench = await Bench.open({ random: { bytes: (count) => new Uint8Array(count) } });
  expect(bench.device.access.challenge('Service').salt).toEqual(Array(16).fill(1));
  bench = await Bench.open();
  const salts = ['Service', 'Maintenance', 'AuthorizedClient'].map((user) =>
    bench.device.access.challenge(user).salt.join(),
  );
  expect(new Set(salts).size).toBe(3);
});

test('a flood of challenges is refused, and no failed login', () => {
  for (let index = 0; index < 50; index++) bench.device.access.challenge('Service');
  expect(() => bench.device.access.challenge('Service')).toThrow(
    expect.objectContaining({ status: 'accessDenied' }),
  );
  bench.clock.advance(3000);
  expect(failuresLeft()).toBe(5);
});

test('who alternates challenge and POST, however fast, meets no flood protection, right or refused', () => {
  for (let time = 0; time < 200; time++) {
    const header = bench.header('checkCredentials');
    if (time % 3 === 0) expect(outcome({ ...header, user: 'Run' })).toBe('accessDenied');
    if (time % 3 === 1) bench.device.access.voidChallenges();
    expect(outcome(header)).toBe(time % 3 === 2 ? 'Service' : 'invalidChallenge');
  }
});
