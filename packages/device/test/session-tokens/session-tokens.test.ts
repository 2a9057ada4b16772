import { backupRestore, type Release } from '@azimuth/model';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/index.js';
import { SessionTokens } from '../../src/session-tokens/session-tokens.js';

const { parameterbackup } = backupRestore.members;

const other = { hash: Buffer.alloc(32, 1), salt: Buffer.alloc(16, 1) };

function setLegacyPassword(testDevice: TestDevice, siUserLevel: number): Promise<unknown> {
  return testDevice.respond('SetPassword', { siUserLevel, udiNewPassword: 1 });
}

function made(release: Release = '2.4.4') {
  const clock = new VirtualClock();
  const random = new SeededRandom();
  const edition = { release, variant: 'full' } as const;
  const stands = { credentials: { onChanged() {} }, state: { onUpdated() {} } };
  return { clock, tokens: new SessionTokens({ clock, random, served: { current: { edition } }, ...stands }) };
}

describe('a session token', () => {
  test('is a random UUID, good for 600 s', () => {
    const { tokens } = made();
    const { token, timeToLive } = tokens.issue('Service');
    expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeToLive).toBe(600);
    expect(tokens.issue('Service').token).not.toBe(token);
  });

  test('is bound to the level that it was issued to', () => {
    const { tokens } = made();
    const service = tokens.issue('Service').token;
    const maintenance = tokens.issue('Maintenance').token;
    expect(tokens.levelOf(service)).toBe('Service');
    expect(tokens.levelOf(maintenance)).toBe('Maintenance');
  });

  test('admits to file transfers only at the level that CreateSessionToken needs', () => {
    const { clock, tokens } = made();
    const { token } = tokens.issue('Service');
    const lower = tokens.issue('AuthorizedClient').token;
    const transfer = (...sent: string[]) => tokens.admitTransfer(parameterbackup, 'PUT', sent);
    expect(transfer(token)).toEqual({ level: 'Service' });
    expect(() => transfer(lower)).toThrow('the one sent is not valid');
    expect(() => transfer()).toThrow('none was sent');
    expect(() => transfer(token, token)).toThrow('2 were sent');
    clock.advance(600_000);
    expect(() => transfer(token)).toThrow('the one sent is not valid');
  });

  test('is not needed for a transfer in releases below 2.3.1', () => {
    expect(() => made('2.3.1').tokens.admitTransfer(parameterbackup, 'PUT', [])).toThrow('none was sent');
    expect(made('1.4.0').tokens.admitTransfer(parameterbackup, 'PUT', [])).toBeUndefined();
  });

  test('is good again and again until 600 s are over, and not prolonged by use', () => {
    const { clock, tokens } = made();
    const { token } = tokens.issue('Service');
    clock.advance(599_999);
    expect(tokens.levelOf(token)).toBe('Service');
    expect(tokens.levelOf(token)).toBe('Service');
    clock.advance(1);
    expect(tokens.levelOf(token)).toBeUndefined();
  });

  test('has to be the whole text, in its case', () => {
    const { tokens } = made();
    const { token } = tokens.issue('Service');
    for (const wrong of [undefined, '', ' ', token.slice(0, -1), `${token}0`, token.toUpperCase(), '*']) {
      expect(tokens.levelOf(wrong), String(wrong)).toBeUndefined();
    }
  });

  test('makes room for others when 64 are known, the oldest first', () => {
    const { tokens } = made();
    const issued = Array.from({ length: 65 }, () => tokens.issue('Service').token);
    expect(tokens.levelOf(issued[0])).toBeUndefined();
    expect(issued.slice(1).map((token) => tokens.levelOf(token))).toEqual(Array(64).fill('Service'));
  });

  test('is gone after a reboot, and after a power cut', async () => {
    const testDevice = await TestDevice.open();
    const before = testDevice.device.features.sessionTokens.issue('Service').token;
    expect(testDevice.device.features.sessionTokens.levelOf(before)).toBe('Service');
    await testDevice.reboot();
    expect(testDevice.device.features.sessionTokens.levelOf(before)).toBeUndefined();
    const again = testDevice.device.features.sessionTokens.issue('Service').token;
    const after = await testDevice.afterPowerCut();
    expect(after.device.features.sessionTokens.levelOf(again)).toBeUndefined();
  });

  test.each([
    [
      'the password of its level changes',
      (of: TestDevice) => of.context.credentials.setRest('Service', other),
    ],
    ['its legacy password changes', (of: TestDevice) => setLegacyPassword(of, 4)],
  ])('ends when %s', async (_, change) => {
    const testDevice = await TestDevice.open();
    const { sessionTokens } = testDevice.device.features;
    const { token } = sessionTokens.issue('Service');
    const { token: another } = sessionTokens.issue('Maintenance');
    await change(testDevice);
    expect(sessionTokens.levelOf(token)).toBeUndefined();
    expect(sessionTokens.levelOf(another)).toBe('Maintenance');
    expect(() => sessionTokens.admitTransfer(parameterbackup, 'PUT', [token])).toThrow('not valid');
    expect(sessionTokens.levelOf(sessionTokens.issue('Service').token)).toBe('Service');
  });

  test('stays when a password could not be stored, or is one of another level', async () => {
    const testDevice = await TestDevice.open();
    const { token } = testDevice.device.features.sessionTokens.issue('Service');
    testDevice.storage.fail('credentials.json', { once: true });
    await expect(setLegacyPassword(testDevice, 4)).rejects.toThrow('ENOSPC');
    await setLegacyPassword(testDevice, 2);
    expect(testDevice.device.features.sessionTokens.levelOf(token)).toBe('Service');
  });

  test.each(['EnableUserLevel', 'EnableLegacyUserLevel'] as const)(
    'ends when %s disables its level, and does not come back with it',
    async (name) => {
      const testDevice = await TestDevice.open();
      const { sessionTokens } = testDevice.device.features;
      const switched = (isEnabled: boolean) => testDevice.respond(name, { userLevel: 2, isEnabled });
      await switched(true);
      const { token } = sessionTokens.issue('Maintenance');
      const { token: another } = sessionTokens.issue('Service');
      await testDevice.respond('WriteEeprom');
      expect(sessionTokens.levelOf(token)).toBe('Maintenance');
      await switched(false);
      await switched(true);
      expect(sessionTokens.levelOf(token)).toBeUndefined();
      expect(sessionTokens.levelOf(another)).toBe('Service');
    },
  );

  test('ends when LoadFactoryDefaults disables its level', async () => {
    const testDevice = await TestDevice.open();
    await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
    const { token } = testDevice.device.features.sessionTokens.issue('Maintenance');
    await testDevice.respond('LoadFactoryDefaults');
    expect(testDevice.device.features.sessionTokens.levelOf(token)).toBeUndefined();
  });

  test('comes from CreateSessionToken, for Service alone', async () => {
    const testDevice = await TestDevice.open();
    const response = await testDevice.respond('CreateSessionToken');
    expect(response).toEqual({ token: expect.stringMatching(/^.{36}$/), timeToLive: 600 });
    await expect(
      testDevice.call('CreateSessionToken', undefined, { level: 'AuthorizedClient' }),
    ).rejects.toMatchObject({ status: 'accessDenied' });
  });
});
