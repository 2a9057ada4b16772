import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';

const locked = { status: 'accessDenied' };

function failLogins(testDevice: TestDevice, count: number): void {
  for (let index = 0; index < count; index++) {
    expect(() => testDevice.logIn('Service', 'wrong')).toThrow(expect.objectContaining(locked));
  }
}

async function enableAll(testDevice: TestDevice): Promise<void> {
  for (const userLevel of [2, 3]) await testDevice.respond('EnableUserLevel', { userLevel, isEnabled: true });
}

test('four failed logins lock nothing, and one that succeeds starts the count anew', async () => {
  const testDevice = await TestDevice.open();
  for (let round = 0; round < 3; round++) {
    failLogins(testDevice, 4);
    expect(testDevice.logIn()).toEqual({ level: 'Service' });
  }
});

test('five failed logins in a row lock everybody for 30 s', async () => {
  const testDevice = await TestDevice.open();
  failLogins(testDevice, 5);
  for (const level of ['Service', 'Maintenance', 'AuthorizedClient'] as const) {
    expect(() => testDevice.device.access.challenge(level)).toThrow(expect.objectContaining(locked));
  }
  testDevice.clock.advance(29_999);
  expect(() => testDevice.logIn()).toThrow(expect.objectContaining(locked));
  testDevice.clock.advance(1);
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
});

test('the right response to a challenge fetched before is refused while locked, and good after it', async () => {
  const testDevice = await TestDevice.open();
  const header = testDevice.header('checkCredentials');
  failLogins(testDevice, 5);
  const attempt = () => testDevice.device.access.authenticate(header, 'checkCredentials');
  expect(attempt).toThrow(expect.objectContaining(locked));
  testDevice.clock.advance(30_000);
  expect(attempt()).toEqual({ level: 'Service' });
});

test('attempts during the lock do not count and do not prolong the lock', async () => {
  const testDevice = await TestDevice.open();
  const wrong = Array.from({ length: 20 }, () => testDevice.header('checkCredentials', 'Service', 'wrong'));
  failLogins(testDevice, 5);
  for (const header of wrong) {
    testDevice.clock.advance(1000);
    const attempt = () => testDevice.device.access.authenticate(header, 'checkCredentials');
    expect(attempt).toThrow(expect.objectContaining(locked));
    expect(
      await testDevice.respond('changePassword', { encryptedMessage: [], userLevel: 'Service' }),
    ).toEqual({
      result: 5,
    });
  }
  testDevice.clock.advance(10_000);
  failLogins(testDevice, 4);
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
});

test('after the lock the count starts at 0', async () => {
  const testDevice = await TestDevice.open();
  failLogins(testDevice, 5);
  testDevice.clock.advance(30_000);
  failLogins(testDevice, 4);
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
  failLogins(testDevice, 5);
  expect(() => testDevice.logIn()).toThrow(expect.objectContaining(locked));
});

test('failures of all levels count together', async () => {
  const testDevice = await TestDevice.open();
  await enableAll(testDevice);
  for (const level of ['Service', 'Maintenance', 'AuthorizedClient', 'Maintenance', 'Service'] as const) {
    expect(() => testDevice.logIn(level, 'wrong')).toThrow(expect.objectContaining(locked));
  }
  expect(testDevice.device.access.lockout.locked).toBe(true);
});

test('a login of one level does not reset the failures of another one', async () => {
  const testDevice = await TestDevice.open();
  await enableAll(testDevice);
  failLogins(testDevice, 4);
  expect(testDevice.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
  expect(testDevice.logIn('AuthorizedClient')).toEqual({ level: 'AuthorizedClient' });
  failLogins(testDevice, 1);
  expect(testDevice.device.access.lockout.locked).toBe(true);
});

test('the success of any enabled level ends the row of failures of all levels', async () => {
  const testDevice = await TestDevice.open();
  await enableAll(testDevice);
  for (let round = 0; round < 4; round++) {
    expect(() => testDevice.logIn('AuthorizedClient', 'wrong')).toThrow();
    expect(() => testDevice.logIn('Service', 'wrong')).toThrow();
    expect(testDevice.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
  }
  expect(testDevice.device.access.lockout.locked).toBe(false);
  expect(() => testDevice.logIn('AuthorizedClient', 'wrong')).toThrow();
  expect(testDevice.device.access.lockout.locked).toBe(true);
});

test('after the lock the counts of all levels start at 0', async () => {
  const testDevice = await TestDevice.open();
  await enableAll(testDevice);
  failLogins(testDevice, 4);
  expect(testDevice.logIn('Maintenance')).toEqual({ level: 'Maintenance' });
  for (let time = 0; time < 5; time++) expect(() => testDevice.logIn('AuthorizedClient', 'wrong')).toThrow();
  expect(testDevice.device.access.lockout.locked).toBe(true);
  testDevice.clock.advance(30_000);
  failLogins(testDevice, 4);
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
});

test.each([
  ['right', 'main'],
  ['wrong', 'guess'],
])('a %s password of a disabled level neither counts nor ends a count', async (_, password) => {
  const testDevice = await TestDevice.open();
  failLogins(testDevice, 4);
  for (let time = 0; time < 10; time++) {
    expect(() => testDevice.logIn('Maintenance', password)).toThrow(expect.objectContaining(locked));
  }
  expect(testDevice.device.access.lockout.locked).toBe(false);
  failLogins(testDevice, 1);
  expect(testDevice.device.access.lockout.locked).toBe(true);
});

test('attempts at a disabled level are logged once, in the same words for a right password and a wrong one', async () => {
  const linesOfBoth: unknown[] = [];
  for (const password of ['main', 'guess']) {
    const testDevice = await TestDevice.open();
    for (let time = 0; time < 10; time++) expect(() => testDevice.logIn('Maintenance', password)).toThrow();
    expect(testDevice.device.access.disabled.Maintenance).toBe(10);
    expect(testDevice.device.access.failed.Maintenance).toBe(0);
    expect(testDevice.device.access.succeeded.Maintenance).toBe(0);
    expect(testDevice.log.lines).toHaveLength(1);
    expect(testDevice.log.lines[0]).toMatchObject({ severity: 'warn', facts: { userLevel: 'Maintenance' } });
    linesOfBoth.push(testDevice.log.lines);
  }
  expect(linesOfBoth[1]).toEqual(linesOfBoth[0]);
});

test.each(['reboot', 'powerCycle'] as const)('a %s does not unlock', async (way) => {
  const testDevice = await TestDevice.open();
  failLogins(testDevice, 5);
  if (way === 'reboot') await testDevice.reboot();
  else {
    testDevice.device.lifecycle.powerCycle();
    await testDevice.boot();
  }
  expect(() => testDevice.logIn()).toThrow(expect.objectContaining(locked));
  testDevice.clock.advance(28_000);
  expect(testDevice.logIn()).toEqual({ level: 'Service' });
});

test.each(['reboot', 'powerCycle'] as const)('a %s keeps the count of failed logins', async (way) => {
  const testDevice = await TestDevice.open();
  failLogins(testDevice, 4);
  if (way === 'reboot') await testDevice.reboot();
  else {
    testDevice.device.lifecycle.powerCycle();
    await testDevice.boot();
  }
  failLogins(testDevice, 1);
  expect(testDevice.device.access.lockout.locked).toBe(true);
});

test('a failed login is logged without a secret', async () => {
  const testDevice = await TestDevice.open();
  const header = testDevice.header('checkCredentials', 'Service', 'not the password');
  expect(() => testDevice.device.access.authenticate(header, 'checkCredentials')).toThrow();
  const logged = JSON.stringify(testDevice.log.lines);
  expect(testDevice.log.lines.at(-1)).toMatchObject({
    severity: 'warn',
    facts: { userLevel: 'Service', locked: false },
  });
  for (const secret of [header.nonce, header.opaque, header.response, 'not the password']) {
    expect(logged).not.toContain(secret);
  }
});
