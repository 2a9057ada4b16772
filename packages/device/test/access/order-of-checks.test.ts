import {
  type Challenge,
  type Header,
  hash1,
  headerFor,
  response,
  sha256,
} from '@azimuth/test-support/client';
import { factoryPassword, TestDevice } from '@azimuth/test-support/test-device';
import { beforeEach, expect, test } from 'vitest';

let testDevice: TestDevice;

beforeEach(async () => {
  testDevice = await TestDevice.open();
});

/** The status of the refusal of a header, or its proved level. */
function outcome(header: unknown, endpoint = 'checkCredentials'): string {
  try {
    return testDevice.device.access.authenticate(header, endpoint).level;
  } catch (error) {
    return error instanceof Error && 'status' in error ? String(error.status) : String(error);
  }
}

/** Number of wrong logins until the lock: five, less the counted ones. */
function failuresLeft(): number {
  for (let count = 1; ; count++) {
    outcome(testDevice.header('checkCredentials', 'Service', 'wrong'));
    if (testDevice.device.access.lockout.locked) return count;
  }
}

test('without a header of five strings the status is 4, nothing is counted and no challenge is spent', () => {
  const header = testDevice.header('checkCredentials');
  const broken: unknown[] = [undefined, null, [], 'Service', {}, ['Service', 'a', 'b', 'c', 'd']];
  for (const member of Object.keys(header)) {
    for (const value of [undefined, null, 0, 1, true, ['x'], { x: 'x' }]) {
      broken.push({ ...header, [member]: value });
    }
  }
  for (const wrong of broken) expect(outcome(wrong)).toBe('accessDenied');
  expect(outcome(header)).toBe('Service');
  expect(failuresLeft()).toBe(5);
});

test('a nonce that was never issued is status 4 and counts for nothing', () => {
  const header = testDevice.header('checkCredentials');
  for (const nonce of ['', 'f'.repeat(64), '0'.repeat(64), '__proto__', header.opaque]) {
    expect(outcome({ ...header, nonce })).toBe('accessDenied');
  }
  expect(outcome(header)).toBe('Service');
  expect(failuresLeft()).toBe(5);
});

test('a nonce that was spent is status 10 and counts for nothing', () => {
  const header = testDevice.header('checkCredentials');
  expect(outcome(header)).toBe('Service');
  for (let time = 0; time < 6; time++) expect(outcome(header)).toBe('invalidChallenge');
  expect(failuresLeft()).toBe(5);
});

test('a nonce that has expired is status 10, with the right response and with a wrong one', () => {
  const right = testDevice.header('checkCredentials');
  const wrong = testDevice.header('checkCredentials', 'Service', 'wrong');
  testDevice.clock.advance(60_000);
  expect(outcome(right)).toBe('invalidChallenge');
  expect(outcome(wrong)).toBe('invalidChallenge');
  expect(failuresLeft()).toBe(5);
});

test('a nonce voided by a challenge for another level is status 10', () => {
  const header = testDevice.header('checkCredentials');
  testDevice.device.access.challenge('Maintenance');
  expect(outcome(header)).toBe('invalidChallenge');
});

test('a nonce of before a reboot or a restart is status 10', async () => {
  const beforeReboot = testDevice.header('checkCredentials');
  await testDevice.reboot();
  expect(outcome(beforeReboot)).toBe('invalidChallenge');
  const beforeCut = testDevice.header('checkCredentials');
  testDevice = await testDevice.afterPowerCut();
  expect(outcome(beforeCut)).toBe('invalidChallenge');
});

test('a nonce of another scanner is status 4', async () => {
  const header = testDevice.header('checkCredentials');
  testDevice = await TestDevice.open({ random: { bytes: (count) => new Uint8Array(count).fill(7) } });
  expect(outcome(header)).toBe('accessDenied');
});

/** A wrong header is status 4, spends its challenge and no other, and counts as one failed login. */
function expectFailure(wrong: Header): void {
  const other = testDevice.header('checkCredentials');
  expect(outcome(wrong)).toBe('accessDenied');
  expect(outcome(wrong)).toBe('invalidChallenge');
  expect(failuresLeft()).toBe(4);
  testDevice.clock.advance(30_000);
  expect(outcome(other)).toBe('Service');
}

test.each([
  ['user', 'Maintenance'],
  ['user', 'service'],
  ['user', 'Nobody'],
  ['user', ''],
  ['realm', 'sick sensor'],
  ['realm', ''],
  ['opaque', '0'.repeat(64)],
  ['opaque', ''],
  ['response', '0'.repeat(64)],
  ['response', ''],
  ['response', 'ü'.repeat(64)],
  ['response', 'x'.repeat(500)],
])('a right header with the %s %j is a failed login', (member, value) => {
  expectFailure({ ...testDevice.header('checkCredentials'), [member]: value });
});

const service = { user: 'Service', password: factoryPassword.Service };

function challenge(): Challenge {
  const { salt, ...texts } = testDevice.device.access.challenge('Service');
  return { ...texts, salt: Buffer.from(salt) };
}

/** The header for this challenge as Service, with another response. */
function responseTo(to: Challenge, wrong: string): Header {
  return { ...headerFor(to, service, 'checkCredentials'), response: wrong };
}

const otherResponses: readonly [string, (to: Challenge) => Header][] = [
  [
    'in capital letters',
    (to) => responseTo(to, headerFor(to, service, 'checkCredentials').response.toUpperCase()),
  ],
  ['for another endpoint', (to) => headerFor(to, service, 'WriteEeprom')],
  ['without a salt', (to) => headerFor({ ...to, salt: undefined }, service, 'checkCredentials')],
  [
    'with the salt as JSON text',
    (to) =>
      headerFor(
        { ...to, salt: Buffer.from(JSON.stringify([...(to.salt ?? [])])) },
        service,
        'checkCredentials',
      ),
  ],
  [
    'with the salt directly behind the password',
    (to) => {
      const first = sha256(`Service:${to.realm}:${service.password}`, to.salt ?? '');
      return responseTo(to, response(first, to.nonce, 'checkCredentials'));
    },
  ],
  ['with another realm', (to) => headerFor({ ...to, realm: 'Another Sensor' }, service, 'checkCredentials')],
  [
    'with the password of another level',
    (to) =>
      headerFor(
        to,
        { user: 'AuthorizedClient', password: factoryPassword.AuthorizedClient },
        'checkCredentials',
      ),
  ],
  ...['POST:/checkCredentials', 'POST:/api/checkCredentials', 'GET:checkCredentials', 'checkCredentials'].map(
    (text): [string, (to: Challenge) => Header] => [
      `with a hash of ${text}`,
      (to) => responseTo(to, sha256(`${hash1(service, to.realm, to.salt)}:${to.nonce}:${sha256(text)}`)),
    ],
  ),
];

test.each(otherResponses)('a response computed %s is a failed login', (_, wrong) => {
  expectFailure(wrong(challenge()));
});

test.each(['main', 'wrong'])(
  'a disabled level is status 4 and spends the challenge: password "%s"',
  (password) => {
    for (let time = 0; time < 6; time++) {
      const header = testDevice.header('checkCredentials', 'Maintenance', password);
      expect(outcome(header)).toBe('accessDenied');
      expect(outcome(header)).toBe('invalidChallenge');
    }
    expect(failuresLeft()).toBe(5);
  },
);

test('a challenge of an enabled level counts, whatever user the header names', () => {
  expect(outcome({ ...testDevice.header('checkCredentials'), user: 'Maintenance' })).toBe('accessDenied');
  expect(failuresLeft()).toBe(4);
});

test('a level can log in as soon as it is enabled', async () => {
  await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  expect(outcome(testDevice.header('checkCredentials', 'Maintenance'))).toBe('Maintenance');
});

test('the lock comes before everything else', () => {
  const spent = testDevice.header('checkCredentials');
  expect(outcome(spent)).toBe('Service');
  const right = testDevice.header('checkCredentials');
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
  const pending = testDevice.header('checkCredentials');
  const response = testDevice.respond('getChallenge', { user });
  if (status === undefined) await expect(response).resolves.toMatchObject({ realm: 'SICK Sensor' });
  else {
    await expect(response).rejects.toMatchObject({ status });
    expect(outcome(pending)).toBe('Service');
    expect(failuresLeft()).toBe(5);
  }
});

test('salts are 16 bytes, none of them zero, and each level has its own', async () => {
  testDevice = await TestDevice.open({ random: { bytes: (count) => new Uint8Array(count) } });
  expect(testDevice.device.access.challenge('Service').salt).toEqual(Array(16).fill(1));
  testDevice = await TestDevice.open();
  const saltsOfLevels = () =>
    ['Service', 'Maintenance', 'AuthorizedClient'].map((user) =>
      testDevice.device.access.challenge(user).salt.join(),
    );
  const salts = saltsOfLevels();
  expect(new Set(salts).size).toBe(3);
  expect(saltsOfLevels()).toEqual(salts);
});

test('challenges of all levels count together for the flood protection, and not as failed logins', () => {
  const levels = ['Service', 'Maintenance', 'AuthorizedClient'];
  for (let index = 0; index < 50; index++) testDevice.device.access.challenge(levels[index % 3] ?? '');
  for (const level of levels) {
    expect(() => testDevice.device.access.challenge(level)).toThrow(
      expect.objectContaining({ status: 'accessDenied' }),
    );
  }
  testDevice.clock.advance(3000);
  expect(failuresLeft()).toBe(5);
});

test('a challenge counts as used after a right login, a failed login and a voided challenge', () => {
  for (let time = 0; time < 200; time++) {
    const header = testDevice.header('checkCredentials');
    if (time % 3 === 0) expect(outcome({ ...header, user: 'Run' })).toBe('accessDenied');
    if (time % 3 === 1) testDevice.device.access.voidChallenges();
    expect(outcome(header)).toBe(time % 3 === 2 ? 'Service' : 'invalidChallenge');
  }
});
