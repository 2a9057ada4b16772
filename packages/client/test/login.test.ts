import { inspect } from 'node:util';
import { isObject } from '@azimuth/model';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { latch } from '@azimuth/test-support/waiting';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Fetch, Scanner } from '../src/index.js';

let device: FakeDevice;
let scanner: Scanner;

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
});
afterEach(() => device.stop());

describe('an invalid challenge', () => {
  test('is followed by one attempt with a new one', async () => {
    device.prepare('LocationName', { status: 10 });
    await scanner.write('LocationName', 'Gate 3');
    expect(device.values.get('LocationName')).toBe('Gate 3');
    expect(device.requests).toEqual(['getChallenge', 'LocationName', 'getChallenge', 'LocationName']);
  });

  test('is followed by only one further attempt', async () => {
    device.prepare('LocationName', { status: 10 }, { status: 10 }, { status: 10 });
    await expect(scanner.write('LocationName', 'Gate 3')).rejects.toMatchObject({ status: 10 });
    expect(device.requests.filter((endpoint) => endpoint === 'LocationName')).toHaveLength(2);
  });

  test('is the only refusal that is followed by another attempt', async () => {
    device.prepare('LocationName', { status: 4 });
    await expect(scanner.write('LocationName', 'Gate 3')).rejects.toMatchObject({ status: 4 });
    expect(device.requests).toEqual(['getChallenge', 'LocationName']);
  });
});

test('a locked scanner gets no further request', async () => {
  device.prepare('getChallenge', { status: 4 });
  await expect(scanner.write('LocationName', 'x')).rejects.toMatchObject({
    endpoint: 'getChallenge',
    statusName: 'accessDenied',
  });
  expect(device.requests).toEqual(['getChallenge']);
});

test('a malformed challenge is refused', async () => {
  device.prepare('getChallenge', { raw: '{"header":{"status":0,"message":"Ok"},"challenge":{"nonce":"1"}}' });
  await expect(scanner.write('LocationName', 'x')).rejects.toThrow(/getChallenge\.realm: .* missing/);
});

test('the error of a wrong password contains neither password nor hash', async () => {
  const intruder = new Scanner({ url: device.url, password: 'opensesame' });
  const error = await intruder.write('LocationName', 'x').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'LocationName: Access Denied (4)' });
  const header = device.exchanges[1]?.body.header;
  const response = isObject(header) ? String(header.response) : '';
  expect(response).toMatch(/^[0-9a-f]{64}$/);
  expect(inspect(error)).not.toContain(response);
  expect(inspect(error)).not.toContain('opensesame');
});

describe('challenge and POST stay together', () => {
  test('over many calls and two objects for one scanner', async () => {
    device.setPassword('Maintenance', 'main', [9]);
    const other = new Scanner({ url: `${device.url}/api/`, user: 'Maintenance', password: 'main' });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? scanner : other).write('LocationName', `Gate ${index}`),
      ),
    );
    expect(device.requests).toEqual(
      Array.from({ length: 12 }, () => ['getChallenge', 'LocationName']).flat(),
    );
    expect(device.exchanges.every(({ status }) => status === 0)).toBe(true);
  });

  test('also if the program fetches a challenge itself', async () => {
    const { seen, reached, release, fetch } = heldAt('LocationName');
    const held = new Scanner({ url: device.url, password: 'servicelevel', fetch });
    const write = held.write('LocationName', 'Gate 1');
    const byHand = held.call('getChallenge', { user: 'Service' });
    await reached;
    expect(seen).toEqual(['getChallenge', 'LocationName']);
    release();
    await Promise.all([write, byHand]);
    expect(seen).toEqual(['getChallenge', 'LocationName', 'getChallenge']);
  });

  test('also during a change of the password, which applies to later calls', async () => {
    await Promise.all([
      scanner.write('LocationName', 'Gate 1'),
      scanner.changePassword('Service', 'servicelevel', 'other'),
      scanner.write('LocationName', 'Gate 2'),
    ]);
    expect(device.exchanges.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 0));
  });

  test('while reads go on', async () => {
    device.prepare('getChallenge', { never: true });
    const stuck = scanner.write('LocationName', 'Gate 1').catch((reason: unknown) => reason);
    expect(await scanner.read('LocationName')).toBe('not defined');
    await device.stop();
    expect(await stuck).toMatchObject({ name: 'UnreachableError' });
  });
});

/** A fetch that delays the requests of an endpoint until they are released. */
function heldAt(endpoint: string) {
  const seen: string[] = [];
  const reached = latch();
  const released = latch();
  const fetch: Fetch = async (url, init) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    seen.push(name);
    if (name === endpoint) {
      reached.open();
      await released.opened;
    }
    return globalThis.fetch(url, init);
  };
  return { seen, reached: reached.opened, release: released.open, fetch };
}
