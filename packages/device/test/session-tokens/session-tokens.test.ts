import { describe, expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';
import { SeededRandom } from '../../../../tests/support/seeded-random.js';
import { VirtualClock } from '../../src/index.js';
import { SessionTokens } from '../../src/session-tokens/session-tokens.js';

function made() {
  const clock = new VirtualClock();
  return { clock, tokens: new SessionTokens(clock, new SeededRandom()) };
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
    const bench = await Bench.open();
    const before = bench.device.sessionTokens.issue('Service').token;
    expect(bench.device.sessionTokens.levelOf(before)).toBe('Service');
    await bench.reboot();
    expect(bench.device.sessionTokens.levelOf(before)).toBeUndefined();
    const again = bench.device.sessionTokens.issue('Service').token;
    const after = await bench.afterPowerCut();
    expect(after.device.sessionTokens.levelOf(again)).toBeUndefined();
  });

  test('comes from CreateSessionToken, for Service alone', async () => {
    const bench = await Bench.open();
    const response = await bench.respond('CreateSessionToken');
    expect(response).toEqual({ token: expect.stringMatching(/^.{36}$/), timeToLive: 600 });
    await expect(
      bench.call('CreateSessionToken', undefined, { level: 'AuthorizedClient' }),
    ).rejects.toMatchObject({ status: 'accessDenied' });
  });
});
