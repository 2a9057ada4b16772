import { expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';

const locked = { status: 'accessDenied' };

function failLogins(bench: Bench, count: number): void {
  for (let index = 0; index < count; index++) {
    expect(() => bench.logIn('Service', 'wrong')).toThrow(expect.objectContaining(locked));
  }
}

async function enableAll(bench: Bench): Promise<void> {
  for (const userLevel of [2, 3]) await bench.respond('EnableUserLevel', { userLevel, isEnabled: true });
}

test('four failed logins lock nothing, and one that succeeds starts the count anew', async () => {
  const bench = await Bench.open();
  for (let round = 0; round < 3; round++) {
    failLogins(bench, 4);
    expect(bench.logIn()).toEqual({ level: 'Service' });
  }
});

test('five failed logins in a row lock everybody for 30 s', async () => {
  const bench = await Bench.open();
  failLogins(bench, 5);
  for (const level of ['Service', 'Maintenance', 'AuthorizedClient'] as const) {
    expect(() => bench.device.access.challenge(level)).toThrow(expect.objectContaining(locked));
  }
  bench.clock.advance(29_999);
  expect(() => bench.logIn()).toThrow(expect.objectContaining(locked));
  bench.clock.advance(1);
  expect(bench.logIn()).toEqual({ level: 'Service' });
});

test('the right response to a challenge fetched before is refused while locked, and good after it', async () => {
  const bench = await Bench.open();
  const header = bench.header('checkCredentials');
  failLogins(bench, 5);
  const attempt = () => bench.device.access.authenticate(header, 'checkCredentials');
  expect(attempt).toThrow(expect.objectContaining(locked));
  bench.clock.advance(30_000);
  expect(attempt()).toEqual({ level: 'Service' });
});

test('attempts while locked neither count nor prolong', async () => {
  const bench = await Bench.open();
  const wrong = Array.from({ length: 20 }, () => bench.header('checkCredentials', 'Service', 'wrong'));
  failLogins(bench, 5);
  for (const header of wrong) {
    bench.clock.advance(1000);
    const attempt = () => bench.device.access.authenticate(header, 'checkCredentials');
    expect(attempt).toThrow(expect.objectContaining(locked));
    expect(await bench.respond('changePassword', { encryptedMessage: [], userLevel: 'Service' })).toEqual({
      result: 5,
    });
  }
  bench.clock.advance(10_000);
  failLogins(bench, 4);
  expect(bench.logIn()).toEqual({ level: 'Service' });
});

test('after the lock the count begins at nothing', async () => {
  const bench = await Bench.open();
  failLogins(bench, 5);
  bench.clock.advance(30_000);
  failLogins(bench, 4);
  expect(bench.logIn()).toEqual({ level: 'Service' });
  failLogins(bench, 5);
  expect(() => bench.logIn()).toThrow(expect.objectContaining(locked));
});

test('failures of all levels count together', async () => {
  const bench = await Bench.open();
  await enableAll(bench);
  for (const level of ['Service', 'Maintenance', 'AuthorizedClient', 'Maintenance', 'Service'] as const) {
    expect(() => bench.logIn(level, 'wrong')).toThrow(expect.objectContaining(locked));
  }
  expect(bench.device.access.lockout.locked).toBe(true);
});

test('the success of one level makes no room for guesses at another one', async () => {
  const bench = await Bench.open();
  await enableAll(bench);
  failLogins(bench, 4);
  expect(bench.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
  expect(bench.logIn('AuthorizedClient')).toEqual({ level: 'AuthorizedClient' });
  failLogins(bench, 1);
  expect(bench.device.access.lockout.locked).toBe(true);
});

test('the success of any enabled level ends the row of failures of all levels', async () => {
  const bench = await Bench.open();
  await enableAll(bench);
  for (let round = 0; round < 4; round++) {
    expect(() => bench.logIn('AuthorizedClient', 'wrong')).toThrow();
    expect(() => bench.logIn('Service', 'wrong')).toThrow();
    expect(bench.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
  }
  expect(bench.device.access.lockout.locked).toBe(false);
  expect(() => bench.logIn('AuthorizedClient', 'wrong')).toThrow();
  expect(bench.device.access.lockout.locked).toBe(true);
});

test('after the lock the counts of all levels begin at nothing', async () => {
  const bench = await Bench.open();
  await enableAll(bench);
  failLogins(bench, 4);
  expect(bench.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
  for (let time = 0; time < 5; time++) expect(() => bench.logIn('AuthorizedClient', 'wrong')).toThrow();
  expect(bench.device.access.lockout.locked).toBe(true);
  bench.clock.advance(30_000);
  failLogins(bench, 4);
  expect(bench.logIn()).toEqual({ level: 'Service' });
});

test.each([
  ['right', 'main'],
  ['wrong', 'guess'],
])('a %s password of a disabled level neither counts nor ends a count', async (_, password) => {
  const bench = await Bench.open();
  failLogins(bench, 4);
  for (let time = 0; time < 10; time++) {
    expect(() => bench.logIn('Maintenance', password)).toThrow(expect.objectContaining(locked));
  }
  expect(bench.device.access.lockout.locked).toBe(false);
  failLogins(bench, 1);
  expect(bench.device.access.lockout.locked).toBe(true);
});

test('a disabled level that is tried is told once, the same for a right password and a wrong one', async () => {
  const told: unknown[] = [];
  for (const password of ['main', 'guess']) {
    const bench = await Bench.open();
    for (let time = 0; time < 10; time++) expect(() => bench.logIn('Maintenance', password)).toThrow();
    expect(bench.device.access.disabled.Maintenance).toBe(10);
    expect(bench.device.access.failed.Maintenance).toBe(0);
    expect(bench.device.access.succeeded.Maintenance).toBe(0);
    expect(bench.log.lines).toHaveLength(1);
    expect(bench.log.lines[0]).toMatchObject({ severity: 'warn', facts: { userLevel: 'Maintenance' } });
    told.push(bench.log.lines);
  }
  expect(told[1]).toEqual(told[0]);
});

test.each(['reboot', 'powerCycle'] as const)('a %s does not unlock', async (way) => {
  const bench = await Bench.open();
  failLogins(bench, 5);
  if (way === 'reboot') await bench.reboot();
  else {
    bench.device.powerCycle();
    await bench.boot();
  }
  expect(() => bench.logIn()).toThrow(expect.objectContaining(locked));
  bench.clock.advance(28_000);
  expect(bench.logIn()).toEqual({ level: 'Service' });
});

test('a failed login is logged without a secret', async () => {
  const bench = await Bench.open();
  const header = bench.header('checkCredentials', 'Service', 'not the password');
  expect(() => bench.device.access.authenticate(header, 'checkCredentials')).toThrow();
  const logged = JSON.stringify(bench.log.lines);
  expect(bench.log.lines.at(-1)).toMatchObject({
    severity: 'warn',
    facts: { userLevel: 'Service', locked: false },
  });
  for (const secret of [header.nonce, header.opaque, header.response, 'not the password']) {
    expect(logged).not.toContain(secret);
  }
});
