import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Scanner } from '../src/index.js';

let device: FakeDevice;
let scanner: Scanner;
let pauses: number[];

beforeEach(async () => {
  device = await FakeDevice.start();
  pauses = [];
  const pause = async (ms: number) => void pauses.push(ms);
  scanner = new Scanner({ url: device.url, password: 'servicelevel', pause });
});
afterEach(() => device.stop());

const turnedAway = (headers: Record<string, string> = {}) => ({ http: 429, headers, raw: 'slow down' });

test('a refused request is sent again after the time that the scanner states', async () => {
  device.prepare('LocationName', turnedAway({ 'Retry-After': '2' }), turnedAway());
  expect(await scanner.read('LocationName')).toBe('not defined');
  expect(pauses).toEqual([2000, 1000]);
});

test('a signed POST is sent again unchanged, because the scanner has not evaluated it', async () => {
  device.prepare('LocationName', turnedAway({ 'Retry-After': '1' }));
  await scanner.write('LocationName', 'Gate 3');
  expect(device.requests).toEqual(['getChallenge', 'LocationName', 'LocationName']);
  expect(device.exchanges[2]?.body).toEqual(device.exchanges[1]?.body);
});

test('a request is sent again only a few times', async () => {
  device.prepare('LocationName', ...Array.from({ length: 9 }, () => turnedAway()));
  await expect(scanner.read('LocationName')).rejects.toMatchObject({
    name: 'RateLimitError',
    message: 'LocationName: the scanner refuses requests (HTTP 429), try again in 4 s',
  });
  expect(device.requests).toHaveLength(4);
  expect(pauses).toEqual([500, 1000, 2000]);
});

test('if the scanner states a long time, the request is not sent again', async () => {
  device.prepare('LocationName', turnedAway({ 'Retry-After': '3600' }));
  await expect(scanner.read('LocationName')).rejects.toThrow(/try again in 3600 s/);
  expect(pauses).toEqual([]);
});
