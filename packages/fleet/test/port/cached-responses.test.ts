import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FleetPort } from '../../src/index.js';
import { CachedResponses, TooManyRequests } from '../../src/port/cached-responses.js';
import { gatewayTo, standIn, worker } from '../gateway/gateway-and-workers.js';

/** The clock that gives the age of a response. */
function someClock(): { now: number } {
  const clock = { now: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
  return clock;
}

test('an answer is made once a second, for all who ask meanwhile', async () => {
  const clock = someClock();
  const cached = new CachedResponses(1000);
  let made = 0;
  const ask = (what: string) => cached.of(what, async () => Buffer.from(`${what} ${++made}`));
  const both = await Promise.all([ask('a'), ask('a')]);
  expect(both[0]).toBe(both[1]);
  clock.now = 999;
  expect(String(await ask('a'))).toBe('a 1');
  expect(String(await ask('b'))).toBe('b 2');
  clock.now = 1000;
  expect(String(await ask('a'))).toBe('a 3');
  cached.forget();
  expect(String(await ask('a'))).toBe('a 4');
});

test('an answer that failed is made anew', async () => {
  const cached = new CachedResponses(1000);
  await expect(cached.of('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(String(await cached.of('a', async () => Buffer.from('yes')))).toBe('yes');
});

test('of different answers, four are made at a time, and 256 wait', async () => {
  const cached = new CachedResponses(1000);
  const ends: (() => void)[] = [];
  const make = () => new Promise<Buffer>((resolve) => ends.push(() => resolve(Buffer.from('x'))));
  const asked = Array.from({ length: 260 }, (_, index) => cached.of(String(index), make));
  expect(ends).toHaveLength(4);
  await expect(cached.of('one more', make)).rejects.toThrow(TooManyRequests);
  let count = 0;
  while (count < 260) {
    ends.shift()?.();
    await new Promise(setImmediate);
    expect(ends.length).toBeLessThanOrEqual(4);
    count++;
  }
  await Promise.all(asked);
  expect(String(await cached.of('one more', async () => Buffer.from('y')))).toBe('y');
});

/** A port of a fleet that caches its lists for a second. */
async function keeping() {
  const some = await someFleet(scannerFacts(30));
  const fleetPort = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections: 100 });
  const url = await fleetPort.open();
  fleetPort.serve(some.fleet);
  onTestFinished(() => fleetPort.close());
  return { fleet: some.fleet, url };
}

test('lists and metrics of a fleet are made at most once a second, also for HEAD, and anew after a power cycle', async () => {
  const { fleet, url } = await keeping();
  const clock = someClock();
  let looks = 0;
  const scanner = fleet.scanners.get('7');
  if (scanner === undefined) throw new Error('the fleet has no scanner 7');
  vi.spyOn(scanner, 'state', 'get').mockImplementation(() => {
    looks++;
    return 'idle';
  });
  const paths = ['/scanners', '/scanners?q=1*', '/scanners?state=idle', '/?from=2', '/scanners?x=1'];
  for (const path of paths)
    for (const method of ['GET', 'HEAD']) expect((await fetch(url + path, { method })).status).toBe(200);
  expect(looks).toBe(1);
  for (let count = 0; count < 5; count++) {
    const [got, head] = [await fetch(`${url}/metrics`), await fetch(`${url}/metrics`, { method: 'HEAD' })];
    expect(head.headers.get('content-length')).toBe(String((await got.text()).length));
  }
  // Metrics look at no scanner that does not run.
  expect(looks).toBe(1);
  clock.now += 1000;
  for (const path of paths) await fetch(url + path, { method: 'HEAD' });
  expect(looks).toBe(2);
  await fetch(`${url}/fleet/power`, { method: 'POST', body: '{"scanners":"1","power":"off"}' });
  const before = looks;
  const list: unknown = await (await fetch(`${url}/scanners?limit=7`)).json();
  expect(list).toHaveLength(7);
  expect(list).toMatchObject({ 0: { serialNumber: '1', state: 'off' } });
  expect(looks).toBe(before + 1);
});

test('a gateway asks workers once a second at most, whatever it is asked', async () => {
  const asked: string[] = [];
  const one = await standIn((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  // Their serial numbers do not fit into a query.
  const gateway = await gatewayTo([one], 5000, { freshFor: 1000 });
  const clock = someClock();
  const ask = (path: string, method = 'GET') => fetch(gateway.url + path, { method });
  await Promise.all(
    [
      '/scanners',
      '/scanners?q=*',
      '/scanners?q=*1*',
      '/scanners?state=waiting',
      '/scanners?group=hall',
    ].flatMap((path) => [ask(path), ask(path, 'HEAD')]),
  );
  await Promise.all(['/metrics', '/fleet', '/metrics', '/fleet'].map((path) => ask(path)));
  expect(asked.sort()).toEqual(['/fleet', '/metrics', '/scanners']);
  clock.now += 1000;
  await Promise.all([ask('/metrics', 'HEAD'), ask('/scanners')]);
  expect(asked).toHaveLength(5);
});

test('liveness needs no worker, and no scanner', async () => {
  const silent = await standIn(() => undefined);
  const gateway = await gatewayTo([silent], 3);
  const lists = ['/scanners', '/metrics', '/fleet'].map((path) =>
    fetch(gateway.url + path).catch(() => 'ended'),
  );
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  const one = await worker(scannerFacts(1));
  expect((await fetch(`${one.url}/healthz`)).status).toBe(200);
  await gateway.gateway.close();
  await Promise.all(lists);
});

test('what a worker tells of its scanners is checked before others see it', async () => {
  const hostile = await standIn((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const mark = '<script>alert(1)</script>';
    const one = { serialNumber: '1', group: mark, state: 'running', release: mark, path: `//evil${mark}` };
    const counts = { requests: mark, telegrams: [mark], unsaved: { mark }, faults: 7, ports: { http: mark } };
    const rest = [{ serialNumber: '2', state: mark }, { serialNumber: '9', state: 'running' }, mark, null];
    response.end(JSON.stringify([{ ...one, ...counts, url: 'javascript:alert(1)', failure: mark }, ...rest]));
  });
  const gateway = await gatewayTo([hostile], 2);
  const list: unknown = await (await fetch(`${gateway.url}/scanners`)).json();
  const nothing = { http: null, https: null, legacyA: null, legacyB: null };
  expect(list).toMatchObject([
    {
      ...{ serialNumber: '1', group: 'hall', state: 'running', release: '2.4.4', path: '/scanners/1' },
      ...{
        url: `${gateway.url}/scanners/1`,
        ports: nothing,
        requests: 0,
        telegrams: 0,
        unsaved: 0,
        faults: 7,
      },
    },
    { serialNumber: '2', state: 'waiting' },
  ]);
  expect(await (await fetch(gateway.url)).text()).not.toContain('<script>');
});
