import { type Client, service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { expectLocked, expectNotLocked, failLogins } from '@azimuth/test-support/failed-logins';
import type { Dialect } from '@azimuth/test-support/legacy/frames';
import { dialects, enableLegacyLevel, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import type { Type } from '@azimuth/test-support/legacy/types';
import {
  errorCodeOf,
  type LegacyClient,
  login,
  passwordHash,
  valueIn,
} from '@azimuth/test-support/legacy-client';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

const right = passwordHash('servicelevel');
const wrong = 0x12345678;

async function check(client: LegacyClient, level: number, hash: number): Promise<unknown> {
  return valueIn(
    await client.call('CheckPassword', login, { level, hash }),
    'sAN',
    'CheckPassword',
    'boolean',
  );
}

/** Whether the session has the rights of an authorized client: told by a write that changes nothing. */
async function mayWrite(client: LegacyClient): Promise<boolean> {
  const answer = await client.attempt('LEDEnable', 'boolean', true);
  if (answer.command === 'sWA') return true;
  expect(errorCodeOf(answer)).toBe(0x0a);
  return false;
}

async function failLegacy(client: LegacyClient, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) expect(await client.tryLogin(4, wrong)).toBe(false);
}

describe.each(dialects)('levels of sessions over %s', (dialect: Dialect) => {
  const open = (scanner: LegacyTestScanner) => session(scanner.ports, dialect);

  test('begin at Run, are reached by a login, and end with Run', async () => {
    const client = await open(await LegacyTestScanner.start());
    expect(await mayWrite(client)).toBe(false);
    await client.login(4);
    expect(await mayWrite(client)).toBe(true);
    const answer = await client.call('Run');
    expect(valueIn(answer, 'sAN', 'Run', 'boolean')).toBe(true);
    expect(await mayWrite(client)).toBe(false);
  });

  test('that are switched off answer a login with 0, and the write behind it is refused with A', async () => {
    const client = await open(await LegacyTestScanner.start());
    for (const [level, password] of [
      [2, 'main'],
      [3, 'client'],
    ] as const) {
      const answer = await client.call('SetAccessMode', login, { level, hash: passwordHash(password) });
      expect(valueIn(answer, 'sAN', 'SetAccessMode', 'boolean')).toBe(false);
      expect(errorCodeOf(await client.attempt('LEDEnable', 'boolean', true))).toBe(0x0a);
    }
  });

  test('end with the legacy password with which they were reached', async () => {
    const scanner = await LegacyTestScanner.start();
    const [changing, other] = [await open(scanner), await open(scanner)];
    await changing.login(4);
    await other.login(4);
    const level: Type = { struct: { siUserLevel: 'int8', udiNewPassword: 'uint32' } };
    await changing.call('SetPassword', level, { siUserLevel: 4, udiNewPassword: wrong });
    expect(await mayWrite(other)).toBe(false);
    expect(await mayWrite(changing)).toBe(false);
    expect(await other.tryLogin(4, wrong)).toBe(true);
    expect(await mayWrite(other)).toBe(true);
  });

  test('without a password are given to nobody but Run, to everybody', async () => {
    const client = await open(await LegacyTestScanner.start());
    for (const level of [1, 5, 7, 255]) expect(await client.tryLogin(level, 0), `${level}`).toBe(false);
    await client.login(4);
    expect(await client.tryLogin(0, 0)).toBe(true);
    expect(await mayWrite(client)).toBe(false);
  });

  test('do not mix: the password of one is not good for another', async () => {
    const scanner = await LegacyTestScanner.start();
    await enableLegacyLevel(scanner.rest, 2);
    await enableLegacyLevel(scanner.rest, 3);
    const client = await open(scanner);
    for (const [level, password] of [
      [2, 'client'],
      [3, 'main'],
      [4, 'client'],
    ] as const) {
      expect(await client.tryLogin(level, passwordHash(password))).toBe(false);
    }
    await client.login(2);
    expect(await mayWrite(client)).toBe(false);
    await client.login(3);
    expect(await mayWrite(client)).toBe(true);
    const answer = await client.attempt('EtherSessionTimeout', 'uint32', 15_000);
    expect(errorCodeOf(answer), 'level 3 may not what only Service may').toBe(0x0a);
  });

  test('are locked for all sessions for 30 s after five failures in a row, REST left alone', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await open(scanner);
    const other = await session(scanner.ports, dialect === 'A' ? 'B' : 'A');
    const inside = await open(scanner);
    await inside.login(4);
    await failLegacy(client, 3);
    await failLegacy(other, 1);
    // The fifth one fails as the others did; from then on the right password does, too.
    expect(await check(client, 4, wrong)).toBe(false);
    expect(await client.tryLogin(4, right)).toBe(false);
    expect(await other.tryLogin(4, right)).toBe(false);
    expect(await check(other, 4, right)).toBe(false);
    const fresh = await open(scanner);
    expect(await fresh.tryLogin(4, right)).toBe(false);
    expect(await mayWrite(inside)).toBe(true);
    expectDone(await scanner.rest.call('checkCredentials'));
    await expectNotLocked(scanner.rest);

    await scanner.pass(29_900, 1000);
    expect(await client.tryLogin(4, right)).toBe(false);
    await scanner.pass(200, 100);
    expect(await client.tryLogin(4, right)).toBe(true);
    expect(await mayWrite(client)).toBe(true);
    // The count begins anew.
    await failLegacy(other, 4);
    expect(await other.tryLogin(4, right)).toBe(true);
  });

  test('are not locked by failures over REST, nor by a reconnect unlocked', async () => {
    const scanner = await LegacyTestScanner.start();
    await failLogins(scanner.rest, 5);
    await expectLocked(scanner.rest);
    const client = await open(scanner);
    await client.login(4);
    await failLegacy(client, 5);
    client.close();
    const next = await open(scanner);
    expect(await next.tryLogin(4, right)).toBe(false);
  });
});

describe('the password of the legacy interfaces', () => {
  const set = (rest: Client, siUserLevel: number, password: string) =>
    rest.call('SetPassword', { siUserLevel, udiNewPassword: passwordHash(password) });

  test('is set over REST, and is another one than that of REST', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await serviceSession(scanner.ports, 'A');
    expectData(await set(scanner.rest, 4, 'Neu!'), { bSuccess: true });
    expect(await mayWrite(client), 'a session that was logged in').toBe(false);
    const next = await session(scanner.ports, 'B');
    expect(await next.tryLogin(4, right)).toBe(false);
    await next.login(4, 'Neu!');
    expectDone(await scanner.rest.call('checkCredentials', undefined, service));
    expectStatus(
      await scanner.rest.call('checkCredentials', undefined, { user: 'Service', password: 'Neu!' }),
      4,
    );
  });

  test('may be any number, 0 and the largest among them', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    for (const udiNewPassword of [0, 0xffff_ffff, 1]) {
      expectData(await scanner.rest.call('SetPassword', { siUserLevel: 4, udiNewPassword }), {
        bSuccess: true,
      });
      expect(await client.tryLogin(4, udiNewPassword), `${udiNewPassword}`).toBe(true);
      expect(await client.tryLogin(4, (udiNewPassword ^ 0x8000_0000) >>> 0)).toBe(false);
    }
  });

  test('can be set over the legacy protocol, too, by a session with the rights', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    const type = { struct: { siUserLevel: 'int8', udiNewPassword: 'uint32' } } as const;
    const value = { siUserLevel: 4, udiNewPassword: passwordHash('Neu!') };
    expect(errorCodeOf(await client.call('SetPassword', type, value))).toBe(1);
    await client.login(4);
    const answer = await client.call('SetPassword', type, value);
    expect(valueIn(answer, 'sAN', 'SetPassword', 'boolean')).toBe(true);
    const next = await session(scanner.ports, 'A');
    await next.login(4, 'Neu!');
  });
});
