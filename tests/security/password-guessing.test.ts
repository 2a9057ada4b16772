import {
  authorizedClient,
  type Client,
  type Login,
  maintenance,
  service,
  statusOf,
} from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { expectLocked, expectNotLocked, resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { object, parse, string } from '@azimuth/test-support/json';
import { portsOf, session } from '@azimuth/test-support/legacy/scanner';
import { passwordHash } from '@azimuth/test-support/legacy-client';
import { changePassword } from '@azimuth/test-support/password-change';
import { ScannerFolder, type ScannerProcess, sharedScanner } from '@azimuth/test-support/scanner-process';
import { unzip } from '@azimuth/test-support/unzip';
import { describe, expect, test } from 'vitest';

/** One attempt at a level, in one of the ways that the scanner has; whether it was let in. */
type Attempt = (login: Login) => Promise<boolean>;

interface Ways {
  readonly rest: Attempt;
  readonly basic: Attempt;
  readonly message: Attempt;
  readonly legacy: Attempt;
}

async function waysInto(scanner: ScannerProcess): Promise<Ways> {
  const client = scanner.client();
  const driver = await session(portsOf(scanner), 'B');
  const legacyNumber = (user: string) => ['Maintenance', 'AuthorizedClient', 'Service'].indexOf(user) + 2;
  return {
    rest: async (login) => {
      const challenge = await client.post('getChallenge', { data: { user: login.user } });
      if (statusOf(challenge) !== 0) return false;
      return statusOf(await client.call('checkCredentials', undefined, login)) === 0;
    },
    basic: async ({ user, password }) => {
      const Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      return statusOf(await client.postText('CreateSessionToken', '', { Authorization })) === 0;
    },
    message: async (login) => {
      const challenge = await client.post('getChallenge', { data: { user: login.user } });
      if (statusOf(challenge) !== 0) return false;
      const { data } = object(parse((await changePassword(client, login, login.password)).text));
      return object(data).result === 0;
    },
    legacy: ({ user, password }) => driver.tryLogin(legacyNumber(user), passwordHash(password)),
  };
}

async function attacked(flags: readonly string[] = []) {
  const scanner = await new ScannerFolder().start(flags);
  return { scanner, client: scanner.client(), ways: await waysInto(scanner) };
}

const word = (number: number): Login => ({ ...service, password: `word ${number}` });

/** Tries words at Service, with something that is to make room behind every second; then the right password. */
async function guess(guessing: Attempt, between: () => Promise<void>): Promise<boolean> {
  for (let number = 1; number <= 5; number++) {
    expect(await guessing(word(number))).toBe(false);
    if (number % 2 === 0) await between();
  }
  return guessing(service);
}

async function enable(client: Client, name: string, userLevel: number): Promise<void> {
  expectStatus(await client.call(name, { userLevel, isEnabled: true }), 0);
}

describe('five guesses lock', () => {
  const shared = sharedScanner();

  /** The same scanner for each of them, with nothing left of the one before. */
  async function attacked() {
    const scanner = shared();
    const client = scanner.client();
    await resetFailedLogins(scanner);
    for (const name of ['EnableUserLevel', 'EnableLegacyUserLevel']) {
      for (const userLevel of [2, 3]) {
        expectStatus(await client.call(name, { userLevel, isEnabled: false }), 0);
      }
    }
    return { scanner, client, ways: await waysInto(scanner) };
  }

  test('over the legacy protocol, with the known password of a lower level between', async () => {
    const { client, ways } = await attacked();
    await enable(client, 'EnableLegacyUserLevel', 3);
    expect(await guess(ways.legacy, async () => expect(await ways.legacy(authorizedClient)).toBe(true))).toBe(
      false,
    );
  });

  test('by turns over a challenge, HTTP Basic and changePassword', async () => {
    const { scanner, client, ways } = await attacked();
    const turns = [ways.rest, ways.basic, ways.message, ways.basic, ways.message];
    for (const [number, attempt] of turns.entries()) {
      await expectNotLocked(client);
      expect(await attempt(word(number))).toBe(false);
    }
    await expectLocked(client);
    for (const attempt of turns) expect(await attempt(service)).toBe(false);
    await scanner.advance(30_000);
    for (const attempt of turns) expect(await attempt(service)).toBe(true);
  });

  test('REST and the legacy protocol, each for itself: neither makes room for the other', async () => {
    const { client, ways } = await attacked();
    const both = [ways.rest, ways.legacy];
    for (let number = 1; number <= 4; number++) {
      for (const attempt of both) expect(await attempt(word(number))).toBe(false);
    }
    await expectNotLocked(client);
    expect(await ways.rest(word(5))).toBe(false);
    await expectLocked(client);
    expect(await ways.legacy(word(5))).toBe(false);
    for (const attempt of both) expect(await attempt(service)).toBe(false);
  });
});

describe('a disabled level', () => {
  /** Metrics and log of a scanner whose disabled levels were tried in every way, with nothing that differs anyway. */
  async function traces(passwordOf: (login: Login) => string): Promise<readonly string[]> {
    const { scanner, client, ways } = await attacked();
    for (const login of [maintenance, authorizedClient]) {
      for (const attempt of Object.values(ways)) {
        for (let time = 0; time < 3; time++) {
          expect(await attempt({ ...login, password: passwordOf(login) })).toBe(false);
        }
      }
    }
    const { text } = await client.send({ method: 'GET', path: '/metrics' });
    const { log } = await scanner.stop();
    const told = log.trim().split('\n');
    return [
      ...text.split('\n').filter((line) => /^azimuth_(?!scanner_info)/.test(line)),
      ...told.map((line) => {
        const { time, correlation, client: address, ...rest } = object(parse(line));
        expect([typeof time, typeof (correlation ?? ''), typeof (address ?? '')]).not.toContain('undefined');
        return JSON.stringify(rest);
      }),
    ];
  }

  test('has the same effect on metrics and log for a right password and a wrong one', async () => {
    const right = await traces(({ password }) => password);
    const wrong = await traces(({ password }) => [...password].toReversed().join(''));
    expect(wrong).toEqual(right);
    // Three over a challenge, HTTP Basic and changePassword each.
    for (const line of [
      'azimuth_logins_total{user_level="Maintenance",result="disabled"} 9',
      'azimuth_legacy_logins_total{user_level="Maintenance",result="disabled"} 3',
      'azimuth_logins_total{user_level="Maintenance",result="failed"} 0',
      'azimuth_logins_total{user_level="Maintenance",result="succeeded"} 0',
    ]) {
      expect(right).toContain(line);
    }
    expect(right.filter((line) => line.includes('Login attempt at a disabled'))).toHaveLength(4);
  });

  test('that is enabled with its factory password is named in the log and in the diagnostic archive', async () => {
    const { scanner, client } = await attacked(['--password', 'AuthorizedClient=own']);
    for (const name of ['EnableUserLevel', 'EnableLegacyUserLevel']) {
      for (const userLevel of [2, 3]) await enable(client, name, userLevel);
    }
    expectStatus(await client.call('DoDiagnosisDump'), 0);
    const path = '/api/crown/file?filePath=diagnosisDump.zip';
    const archive = await fetch(`http://127.0.0.1:${scanner.httpPort}${path}`);
    const files = await unzip(new Uint8Array(await archive.arrayBuffer()));
    const warned = (text: string) => text.split('\n').filter((line) => line.includes('change it'));
    for (const lines of [warned(scanner.log), warned(files.get('log.ndjson') ?? '')]) {
      const facts = lines.map((line) => object(parse(line)));
      expect(facts).toMatchObject([
        { userLevel: 'Maintenance', protocol: 'REST' },
        { userLevel: 'Maintenance', protocol: 'legacy' },
      ]);
    }
    const { levelsWithFactoryPassword } = object(parse(string(files.get('status.json'))));
    expect(levelsWithFactoryPassword).toEqual({
      rest: ['Maintenance', 'Service'],
      legacy: ['Maintenance', 'Service'],
    });
    expectData(await changePassword(client, maintenance, 'keys'), { result: 0 });
    expectDone(await client.call('checkCredentials', undefined, { ...maintenance, password: 'keys' }));
  });
});
