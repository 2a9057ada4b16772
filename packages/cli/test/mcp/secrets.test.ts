import { describe, expect, test } from 'vitest';
import { secretFilter, withoutSecrets } from '../../src/mcp/secrets.js';
import { Turns } from '../../src/mcp/turns.js';

const environment = {
  PATH: '/bin',
  AZIMUTH_DEVICE: 'http://10.0.0.1',
  AZIMUTH_PASSWORD: 'a "quoted" secret',
  AZIMUTH_NEW_PASSWORD: 'secret',
  AZIMUTH_FLEET_KEY: 'k€y of a fleet',
  AZIMUTH_PASSPHRASE: '',
};

test('a command that only reads has no password in its environment', () => {
  expect(withoutSecrets(environment)).toEqual({ PATH: '/bin', AZIMUTH_DEVICE: 'http://10.0.0.1' });
});

test.each([
  ['the password is a "quoted" secret', 'the password is …'],
  [JSON.stringify({ name: 'a "quoted" secret' }), '{"name":"…"}'],
  ['/x?key=k%E2%82%ACy%20of%20a%20fleet', '/x?key=…'],
  ['postgres://azimuth:pw@db/log', 'postgres://azimuth:…@db/log'],
  ['http://10.0.0.1/api/LocationName', 'http://10.0.0.1/api/LocationName'],
])('a text has no secret of the environment and no password in a URL: %s', (text, filtered) => {
  expect(secretFilter(environment)(text)).toBe(filtered);
});

test('a long text without a URL is filtered in little time', () => {
  const text = 'a.'.repeat(128 * 1024);
  const start = performance.now();
  expect(secretFilter(environment)(text)).toBe(text);
  expect(performance.now() - start).toBeLessThan(2000);
});

describe('turns', () => {
  test('let so many act at the same time, and say when one more would be too many', async () => {
    const turns = new Turns(2, 1);
    const ends: (() => void)[] = [];
    const running = new Set<number>();
    const act = (number: number) =>
      turns.run(async () => {
        running.add(number);
        await new Promise<void>((resolve) => ends.push(resolve));
        running.delete(number);
      });
    const acts = [act(1), act(2)];
    expect(turns.isFull).toBe(false);
    acts.push(act(3));
    expect([[...running], turns.isFull]).toEqual([[1, 2], true]);
    ends[0]?.();
    await acts[0];
    await expect.poll(() => [...running]).toEqual([2, 3]);
    expect(turns.isFull).toBe(false);
    for (const end of ends.slice(1)) end();
    await Promise.all(acts);
    const failing = turns.run(async () => {
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(await turns.run(async () => 'free')).toBe('free');
  });
});
