import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Scanner } from '../../src/index.js';

let device: FakeDevice;
let scanner: Scanner;
let now: number;

beforeEach(async () => {
  device = await FakeDevice.start();
  now = 5000;
  scanner = new Scanner({ url: device.url, password: 'servicelevel', now: () => now });
});
afterEach(() => device.stop());

const tokensAsked = () => device.requests.filter((endpoint) => endpoint === 'CreateSessionToken').length;

test('a token is kept until shortly before it expires', async () => {
  device.responses.set('CreateSessionToken', { token: 'one', timeToLive: 100 });
  expect(await scanner.createSessionToken()).toBe('one');
  device.responses.set('CreateSessionToken', { token: 'two', timeToLive: 300 });
  now += 89_999;
  expect(await scanner.createSessionToken()).toBe('one');
  expect(tokensAsked()).toBe(1);
  now += 1;
  expect(await scanner.createSessionToken()).toBe('two');
  now += 289_999;
  expect(await scanner.createSessionToken()).toBe('two');
  now += 1;
  await scanner.createSessionToken();
  expect(tokensAsked()).toBe(3);
});

test('concurrent callers get the same token', async () => {
  device.responses.set('CreateSessionToken', { token: 'one', timeToLive: 100 });
  const [first, second] = await Promise.all([scanner.createSessionToken(), scanner.createSessionToken()]);
  expect([first, second, tokensAsked()]).toEqual(['one', 'one', 1]);
});

test('a refusal is not kept', async () => {
  device.prepare('CreateSessionToken', { status: 4 });
  await expect(scanner.createSessionToken()).rejects.toMatchObject({ statusName: 'accessDenied' });
  device.responses.set('CreateSessionToken', { token: 'one', timeToLive: 100 });
  expect(await scanner.createSessionToken()).toBe('one');
});

test('a token without timeToLive is good, and is used once', async () => {
  for (const token of ['one', 'two']) {
    device.responses.set('CreateSessionToken', { token });
    expect(await scanner.createSessionToken()).toBe(token);
  }
  expect(tokensAsked()).toBe(2);
  expect(await scanner.call('CreateSessionToken')).toEqual({ token: 'two', timeToLive: 0 });
});

test('an answer without a token is an error', async () => {
  device.responses.set('CreateSessionToken', { timeToLive: 100 });
  await expect(scanner.createSessionToken()).rejects.toThrow('without data.token');
});
