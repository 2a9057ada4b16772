import { hash } from 'node:crypto';
import { Scanner } from '@azimuth/client';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { expect, test, vi } from 'vitest';
import type { FleetScanner } from '../../src/scanners/scanner.js';

const password = 'servicelevel';

/** A fleet with one scanner whose time the test moves on. */
async function oneScanner() {
  const now = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  const some = await someFleet(scannerFacts(1));
  const fleetScanner = some.fleet.scanners.get('1');
  if (fleetScanner === undefined) throw new Error('it is there');
  const pass = (milliseconds: number) => {
    passed += milliseconds;
  };
  return { some, fleetScanner, pass, scanner: new Scanner({ url: urlOf(some, '1'), password }) };
}

async function putAway(scanner: FleetScanner): Promise<void> {
  await scanner.restIfUnused(0);
  expect(scanner.state).toBe('idle');
}

async function post(some: SomeFleet, endpoint: string, body: object): Promise<unknown> {
  const response = await fetch(`${urlOf(some, '1')}/api/${endpoint}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  readonly salt: readonly number[];
}

function isChallenge(value: unknown): value is { readonly challenge: Challenge } {
  return typeof value === 'object' && value !== null && 'challenge' in value;
}

/** Fetches a challenge. @returns a function that answers it with a save, and returns the status */
async function challenged(some: SomeFleet, secret = password): Promise<() => Promise<unknown>> {
  const issued = await post(some, 'getChallenge', { data: { user: 'Service' } });
  if (!isChallenge(issued)) throw new Error(`expected a challenge, got ${JSON.stringify(issued)}`);
  const { realm, nonce, opaque, salt } = issued.challenge;
  const before = Buffer.from(`Service:${realm}:${secret}:`, 'latin1');
  const hash1 = hash('sha256', Buffer.concat([before, Buffer.from(salt)]));
  const response = hash('sha256', `${hash1}:${nonce}:${hash('sha256', 'POST:WriteEeprom')}`);
  return async () => {
    const header = { user: 'Service', realm, nonce, opaque, response };
    return post(some, 'WriteEeprom', { header }).then((answer) => Object(answer).header?.status);
  };
}

/** Its metrics without the process, and without the page that is read for them. */
async function countsOf(some: SomeFleet): Promise<readonly string[]> {
  const lines = (await (await fetch(`${urlOf(some, '1')}/metrics`)).text()).split('\n');
  return lines.filter(
    (line) => /^azimuth_\w+_(total|pending|status|locked)/.test(line) && !line.includes('/metrics'),
  );
}

test('a scanner that was put away is as before: values, logins, challenges, counts and log', async () => {
  const { some, fleetScanner, pass, scanner } = await oneScanner();
  await scanner.write('LocationName', 'Hall 7');
  expect(await (await challenged(some, 'wrong'))()).toBe(4);
  const save = await challenged(some);
  const log = (await fleetScanner.started()).device.keep()?.log;
  const before = [await scanner.read('PowerOnCnt'), await countsOf(some)];
  const requests = some.fleet.requests.get('hall');
  pass(30_000);
  await putAway(fleetScanner);
  expect([fleetScanner.unsaved, fleetScanner.service]).toEqual([1, undefined]);
  expect(some.fleet.requests.get('hall')).toBe(requests);
  pass(20_000);
  const counts = await countsOf(some);
  expect([await scanner.read('PowerOnCnt'), counts]).toEqual(before);
  expect((await fleetScanner.started()).device.keep()?.log).toEqual(log);
  expect(await scanner.read('LocationName')).toBe('Hall 7');
  expect(await save()).toBe(0);
  expect(fleetScanner.unsaved).toBe(0);
  await putAway(fleetScanner);
  expect(await scanner.read('LocationName')).toBe('Hall 7');
});

test('a challenge of a scanner that was put away expires after a minute, and then gets status 10', async () => {
  const { some, fleetScanner, pass } = await oneScanner();
  const save = await challenged(some);
  await putAway(fleetScanner);
  pass(61_000);
  expect(await save()).toBe(10);
});

test('a lock of logins lasts as long for a scanner that was put away', async () => {
  const { some, fleetScanner, pass } = await oneScanner();
  for (let attempt = 0; attempt < 5; attempt++) await (await challenged(some, 'wrong'))();
  await putAway(fleetScanner);
  pass(20_000);
  await expect(challenged(some)).rejects.toThrow('"status":4');
  await putAway(fleetScanner);
  pass(11_000);
  expect(await (await challenged(some))()).toBe(0);
});

test('the operating hours of a scanner that was put away count no time twice', async () => {
  const { fleetScanner, pass, scanner } = await oneScanner();
  pass(7_200_000);
  const hours = () => Promise.all([scanner.read('OpHours'), scanner.read('DailyOpHours')]);
  expect(await hours()).toEqual([20, expect.closeTo(2, 2)]);
  await putAway(fleetScanner);
  pass(3_600_000);
  expect(await hours()).toEqual([30, expect.closeTo(3, 2)]);
});

test('values that are not saved are lost with the power of a scanner that was put away', async () => {
  const { some, fleetScanner, scanner } = await oneScanner();
  const before = await scanner.read('LocationName');
  await scanner.write('LocationName', 'Hall 7');
  await putAway(fleetScanner);
  await some.fleet.powerCycle([fleetScanner]);
  expect([fleetScanner.unsaved, await scanner.read('LocationName')]).toEqual([0, before]);
});

test.each<[string, string, RequestInit]>([
  ['a name that no endpoint has', '/api/Nothing', { method: 'POST', body: '{}' }],
  ['a name with a query', '/api/getChallenge?now', { method: 'POST', body: '{"data":{"user":"Service"}}' }],
  ['a method that only reads', '/api/GetWebserverEnabled', { method: 'POST' }],
  [
    'a wrong change of a password',
    '/api/changePassword',
    { method: 'POST', body: '{"data":{"encryptedMessage":[0],"userLevel":"Service"}}' },
  ],
  ['a path that nothing has', '/nothing', { method: 'PUT', body: 'all' }],
  ['a file that is refused', '/api/parameterbackup', { method: 'POST', body: 'nothing' }],
  ['a file that has no such verb', '/api/parameterbackup', { method: 'DELETE' }],
  ['a preflight of a file', '/api/update', { method: 'OPTIONS' }],
  ['a preflight of a browser', '/metrics', { method: 'OPTIONS' }],
])('a scanner is put away after a request that leaves nothing: %s', async (_, path, request) => {
  const { some, fleetScanner } = await oneScanner();
  await (await fetch(urlOf(some, '1') + path, request)).text();
  await putAway(fleetScanner);
});

test.each<[string, (scanner: Scanner, some: SomeFleet) => Promise<unknown>]>([
  ['a method that leaves something in memory', (scanner) => scanner.call('CreateSessionToken')],
  ['a parameter with an effect of its own', (scanner) => scanner.write('PerformanceProfileNumber', 8)],
  [
    'a command of the simulation',
    (_, some) => fetch(`${urlOf(some, '1')}/x/sim/temperature`, { method: 'POST', body: '{"celsius":50}' }),
  ],
  [
    'a command of the simulation in other letters',
    (_, some) => fetch(`${urlOf(some, '1')}/x/%73im/temperature`, { method: 'POST', body: '{"celsius":50}' }),
  ],
])('a scanner is not put away after %s', async (_, act) => {
  const { some, fleetScanner, scanner } = await oneScanner();
  await act(scanner, some);
  await fleetScanner.restIfUnused(0);
  expect(fleetScanner.state).toBe('running');
});
