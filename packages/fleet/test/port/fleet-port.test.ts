import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Scanner } from '@azimuth/client';
import type { AllowedNames } from '@azimuth/http';
import { isObject } from '@azimuth/model';
import { temporaryFolder } from '@azimuth/test-support/files';
import { forwardingHeaders } from '@azimuth/test-support/forwarding-headers';
import { foreignRequests } from '@azimuth/test-support/hostile-scanner';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { expect, onTestFinished, test } from 'vitest';
import { FleetPort } from '../../src/index.js';

const password = 'servicelevel';

interface Given {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request with any headers, which fetch would not send. */
async function ask(
  { url }: SomeFleet,
  path: string,
  { method = 'GET', headers = {}, body = '' }: Given = {},
) {
  return new Promise<{ status: number; content: string; location: string | undefined }>((resolve, reject) => {
    const asked = request(url + path, { method, headers, agent: false }, (response) => {
      const { statusCode = 0, headers: got } = response;
      text(response).then(
        (content) => resolve({ status: statusCode, content, location: got.location }),
        reject,
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function listOf(some: SomeFleet, query = ''): Promise<readonly Record<string, unknown>[]> {
  const listed: unknown = JSON.parse((await ask(some, `/scanners${query}`)).content);
  return (Array.isArray(listed) ? listed : []).filter(isObject);
}

test('lists the scanners, all or some of them', async () => {
  const some = await someFleet(scannerFacts(12, (number) => ({ group: number > 10 ? 'gate' : 'hall' })));
  await new Scanner({ url: urlOf(some, '3'), password }).write('LocationName', 'new');
  const serials = async (query: string) =>
    (await listOf(some, query)).map(({ serialNumber }) => serialNumber);
  expect(await serials('')).toHaveLength(12);
  expect(await serials('?group=gate')).toEqual(['11', '12']);
  expect(await serials('?state=running')).toEqual(['3']);
  expect(await serials('?q=1*&limit=2&from=1')).toEqual(['10', '11']);
  expect((await ask(some, '/scanners?limit=-1')).content).toContain(
    'limit: expected a whole number, got "-1"',
  );
  expect(await listOf(some, '?q=3')).toEqual([
    {
      serialNumber: '3',
      group: 'hall',
      state: 'running',
      release: '2.4.4',
      path: '/scanners/3',
      url: urlOf(some, '3'),
      ports: { http: null, https: null, legacyA: null, legacyB: null },
      // The challenge, and the write.
      requests: 2,
      telegrams: 0,
      unsaved: 1,
      faults: 0,
      running: { deviceStatus: 3, location: 'new' },
    },
  ]);
});

test('the list names the fleet as whoever asks for it does', async () => {
  const some = await someFleet(scannerFacts(1));
  const { port } = new URL(some.url);
  const listed = await ask(some, '/scanners?serials=1,7', { headers: { Host: `hall:${port}` } });
  expect(JSON.parse(listed.content)).toMatchObject([{ url: `http://hall:${port}/scanners/1` }]);
});

test('says how it is, also while the fleet starts', async () => {
  const some = await someFleet(scannerFacts(1));
  const starting = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections: 10 });
  const port = { ...some, url: await starting.open() };
  onTestFinished(() => starting.close());
  const begins = { status: 503, content: 'The fleet is starting.\n' };
  expect(await ask(port, '/healthz')).toMatchObject({ status: 200, content: 'ok\n' });
  expect(await ask(port, '/readyz')).toMatchObject(begins);
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
  expect(await ask(port, '/scanners/1/apievents', { headers })).toMatchObject(begins);
  starting.serve(some.fleet);
  expect(await ask(port, '/readyz')).toMatchObject({ status: 200, content: 'ok\n' });
});

test('events of a scanner come through the port of the fleet, and so do changes of its simulation', async () => {
  const some = await someFleet(scannerFacts(1));
  const events = new Scanner({ url: urlOf(some, '1') }).events('CurrentTempDev');
  const values: unknown[] = [];
  for await (const { data } of events) {
    values.push(data);
    if (values.length === 1) {
      const changed = await ask(some, '/scanners/1/x/sim/temperature', {
        method: 'POST',
        body: '{"celsius":61.5}',
      });
      expect(changed).toMatchObject({ status: 200, content: '{"ok":true}\n' });
    } else break;
  }
  expect(values[1]).toBe(61.5);
});

test('takes no WebSocket where the scanner has none', async () => {
  const some = await someFleet(scannerFacts(1));
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'AQIDBAUGBwgJCgsMDQ4PEA==',
  };
  const answered = await ask(some, '/scanners/1/api/SerialNumber', { headers });
  expect(JSON.parse(answered.content)).toMatchObject({ data: { SerialNumber: '1' } });
  // It is one request.
  expect(await listOf(some)).toMatchObject([{ requests: 1 }]);
  await expect(ask(some, '/scanners/1', { headers })).resolves.toMatchObject({
    status: 404,
    content: 'No WebSocket is here.\n',
  });
  await expect(ask(some, '/scanners/99/apievents', { headers })).resolves.toMatchObject({
    status: 404,
    content: 'This fleet has no scanner with this serial number.\n',
  });
  await some.fleet.switchOff(some.fleet.virtualMatching('1'));
  await expect(ask(some, '/scanners/1/apievents', { headers })).resolves.toMatchObject({
    status: 502,
    content: 'The scanner 1 does not answer: its power is off\n',
  });
});

test('a reboot ends the connections of its scanner alone, and the scanner comes back', async () => {
  const some = await someFleet(scannerFacts(2));
  const scanner = new Scanner({ url: urlOf(some, '1'), password });
  const open = (serial: string) =>
    WebSocketClient.open(Number(new URL(some.url).port), { path: `/scanners/${serial}/x/events` });
  const [own, other] = [await open('1'), await open('2')];
  await scanner.call('RebootDevice');
  await own.closed;
  await scanner.rebooted();
  expect(await scanner.read('PowerOnCnt')).toBe(1);
  expect((await other.close()).code).toBe(1000);
});

test('a request to a scanner that is off or unknown says so', async () => {
  const some = await someFleet(scannerFacts(2));
  await some.fleet.switchOff(some.fleet.virtualMatching('2'));
  expect(await ask(some, '/scanners/2/api/SerialNumber')).toMatchObject({
    status: 502,
    content: 'The scanner 2 does not answer: its power is off\n',
  });
  expect(await ask(some, '/scanners/3/api/SerialNumber')).toMatchObject({
    status: 404,
    content: 'This fleet has no scanner with this serial number.\n',
  });
  expect(await ask(some, '/scannersX/api')).toMatchObject({ status: 404 });
});

test('the path of a scanner without a slash at its end leads to the one with it', async () => {
  const some = await someFleet(scannerFacts(1));
  expect(await ask(some, '/scanners/1')).toMatchObject({ status: 301, location: '/scanners/1/' });
  expect(await ask(some, '/scanners/1?scene')).toMatchObject({ status: 301, location: '/scanners/1/?scene' });
  expect(await ask(some, '/scanners/3?scene')).toMatchObject({ status: 404 });
});

test('pages of other origins, and foreign names, are refused everywhere', async () => {
  const some = await someFleet(scannerFacts(1));
  const paths = ['/scanners', '/site', '/fleet', '/metrics', '/', '/scanners/1/api/SerialNumber'];
  const strange: Record<string, string>[] = [
    { Host: 'evil.example.com' },
    { Origin: 'http://evil.example.com' },
  ];
  for (const headers of strange) {
    for (const path of paths) expect((await ask(some, path, { headers })).status, path).toBe(403);
    const body = '{"scanners":"*","power":"off"}';
    expect((await ask(some, '/fleet/power', { method: 'POST', headers, body })).status).toBe(403);
  }
  expect(some.fleet.states.off).toBe(0);
});

test('a fleet may be called by names that it was given, and used by pages of origins that it was given', async () => {
  const origin = 'http://panel.example';
  const some = await someFleet(scannerFacts(1), { allowed: { hosts: ['hall.example'], origins: [origin] } });
  for (const path of ['/scanners', '/scanners/1/api/SerialNumber']) {
    expect((await ask(some, path, { headers: { Host: 'hall.example' } })).status, path).toBe(200);
    expect((await ask(some, path, { headers: { Host: 'other.example' } })).status, path).toBe(403);
    const answer = await fetch(some.url + path, { headers: { Origin: origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')], path).toEqual([200, origin]);
  }
});

test('requests over one connection are answered in their order, also behind a scanner that has to start', async () => {
  const some = await someFleet(scannerFacts(2));
  const { port } = new URL(some.url);
  const client = connect(Number(port), '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
  });
  const get = (path: string, end = 'keep-alive') =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: ${end}\r\n\r\n`;
  const paths = ['/scanners/1/api/SerialNumber', '/healthz', '/scanners/2/api/SerialNumber'];
  client.write(`${paths.map((path) => get(path)).join('')}${get('/fleet', 'close')}`);
  const answers = (await text(client)).split('HTTP/1.1 ').slice(1);
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['200', '200', '200', '200']);
  expect(answers[0]).toContain('"SerialNumber"');
  expect(answers[1]).not.toContain('SerialNumber');
  expect(answers[2]).toContain('"SerialNumber"');
  expect(answers[3]).toContain('"states"');
});

test('behind a proxy, nobody is on the computer of the fleet, unless the fleet is told so', async () => {
  const hosts = ['hall.example'];
  const fleetWith = (allowed: AllowedNames) => someFleet(scannerFacts(1), { allowed });
  const statuses = async (some: SomeFleet, headers = {}) => {
    const post = async (path: string, body: string) =>
      (await ask(some, path, { method: 'POST', headers, body })).status;
    const power = await post('/fleet/power', '{"scanners":"1","power":"cycle"}');
    return [power, await post('/scanners/1/x/sim/temperature', '{"celsius":50}')];
  };
  expect(await statuses(await fleetWith({ hosts }))).toEqual([403, 403]);
  expect(await statuses(await fleetWith({ localRights: false }))).toEqual([403, 403]);
  const told = await fleetWith({ hosts, localRights: true });
  expect(await statuses(told)).toEqual([200, 200]);
  for (const name of forwardingHeaders)
    expect(await statuses(told, { [name]: '127.0.0.1' }), name).toEqual([403, 403]);
});

test('switches scanners by a pattern, and says what is wrong with a request', async () => {
  const some = await someFleet(scannerFacts(3));
  const power = (body: string) => ask(some, '/fleet/power', { method: 'POST', body });
  expect(JSON.parse((await power('{"scanners":"*","power":"off"}')).content)).toEqual({
    scanners: 3,
    changed: 3,
    failed: [],
    states: { off: 3, idle: 0, running: 0, failed: 0 },
  });
  await power('{"scanners":"2","power":"on"}');
  expect(some.fleet.states).toMatchObject({ off: 2, idle: 1 });
  // Only scanners that were off count.
  expect(JSON.parse((await power('{"scanners":"*","power":"on"}')).content)).toMatchObject({ changed: 2 });
  const wrong = [
    '',
    '[]',
    '{"power":"on"}',
    '{"scanners":"2","power":"maybe"}',
    '{"scanners":"9","power":"on"}',
  ];
  for (const body of wrong) expect(await power(body), body).toMatchObject({ status: 400 });
  expect((await power('{"scanners":"9","power":"on"}')).content).toContain(
    'no scanner of this fleet matches "9"',
  );
  expect((await power(`{"scanners":"${'x'.repeat(70_000)}"}`)).status).toBe(400);
});

test('metrics count scanners, requests and telegrams of each group', async () => {
  const ScanDataEthSettings = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 9 };
  const parameters = { ScanDataEnable: true, ScanDataEthSettings };
  const some = await someFleet(
    scannerFacts(3, (number) => (number === 3 ? { group: 'gate', parameters } : { group: 'hall' })),
  );
  await ask(some, '/scanners/1/api/SerialNumber');
  const metrics = async () => (await ask(some, '/metrics')).content;
  await until(async () => /^azimuth_fleet_telegrams\{group="gate"\} [1-9]/m.test(await metrics()));
  const content = await metrics();
  expect(content).toContain('azimuth_fleet_telegrams{group="hall"} 0\n');
  expect(content).toContain('azimuth_fleet_scanners{group="hall",state="idle"} 1\n');
  expect(content).toContain('azimuth_fleet_scanners{group="hall",state="running"} 1\n');
  expect(content).toContain('azimuth_fleet_requests_total{group="hall"} 1\n');
  expect(content).toContain('azimuth_fleet_requests_total{group="gate"} 0\n');
});

test('without a GUI, its address says where the scanners are listed', async () => {
  const some = await someFleet(scannerFacts(1));
  for (const path of ['/', '/?scanners'])
    expect(await ask(some, path)).toMatchObject({
      status: 200,
      content: 'This fleet serves no GUI. /scanners lists its scanners, /fleet counts them.\n',
    });
});

test('its pages read a list of scanners from it, which starts none', async () => {
  const some = await someFleet(scannerFacts(3, (number) => ({ group: number === 3 ? 'gate' : 'hall' })));
  await new Scanner({ url: urlOf(some, '3'), password }).write('LocationName', 'Gate 3');
  await some.fleet.switchOff(some.fleet.virtualMatching('2'));
  const response = await fetch(`${some.url}/site?sort=name`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    ...{ total: 3, matching: 3, from: 0, history: false, log: false },
    severities: { bad: 0, warn: 0, idle: 1, good: 2 },
    groups: [
      { name: 'gate', scanners: 1, trouble: 0 },
      { name: 'hall', scanners: 2, trouble: 0 },
    ],
    scanners: [
      expect.objectContaining({ name: '1', state: 'On, not used', url: `${some.url}/scanners/1` }),
      expect.objectContaining({ name: '2', state: 'Off', severity: 'idle' }),
      expect.objectContaining({ name: 'Gate 3', location: 'Gate 3', state: 'Measuring', unsaved: 1 }),
    ],
  });
  expect(some.fleet.states).toMatchObject({ idle: 1, running: 1, off: 1 });
});

test('HEAD of the events is answered, and follows nothing; two slashes are a path', async () => {
  const some = await someFleet(scannerFacts(1));
  expect(await ask(some, '/fleet/events', { method: 'HEAD' })).toMatchObject({ status: 200, content: '' });
  expect(some.fleet.events.followers).toBe(0);
  expect(await ask(some, '//x/fleet')).toMatchObject({ status: 404 });
});

test('a scanner that several requests switch on at once is counted once', async () => {
  const some = await someFleet(scannerFacts(1));
  await some.fleet.switchOff(some.fleet.virtualMatching('1'));
  const on = { method: 'POST', body: '{"scanners": "1", "power": "on"}' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(some, '/fleet/power', on)));
  expect(answers.map(({ content }) => JSON.parse(content).changed).toSorted()).toEqual([0, 0, 0, 0, 1]);
  expect(await new Scanner({ url: urlOf(some, '1'), password }).read('PowerOnCnt')).toBe(2);
});

test('a state that there is not, and a part of the list that is no number, are refused', async () => {
  const some = await someFleet(scannerFacts(1));
  expect(await ask(some, '/scanners?state=bogus')).toMatchObject({
    status: 400,
    content:
      'state: expected one of off, idle, running, failed, online, unreachable, wrong-serial, locked-out, waiting, silent, got "bogus"\n',
  });
  for (const path of ['/scanners', '/site'])
    expect(await ask(some, `${path}?from=x`)).toMatchObject({
      status: 400,
      content: 'from: expected a whole number, got "x"\n',
    });
});

test('a page of several scanners is served, and told that it gets scan data from each of them', async () => {
  const gui = temporaryFolder();
  mkdirSync(join(gui, 'assets'));
  for (const name of ['index.html', 'icon.svg']) writeFileSync(join(gui, name), `the ${name}`);
  const some = await someFleet(scannerFacts(2), { gui });
  expect(await ask(some, '/')).toMatchObject({ status: 302, location: '?scanners' });
  expect(await ask(some, '/?q=1')).toMatchObject({ status: 302, location: '?scanners&q=1' });
  expect(await ask(some, '/?scanners')).toMatchObject({ status: 200, content: 'the index.html' });
  expect(await ask(some, '/icon.svg')).toMatchObject({ status: 200, content: 'the icon.svg' });
  expect(JSON.parse((await ask(some, '/scanners/2/data')).content)).toEqual({ state: 'live' });
  expect(await listOf(some)).toMatchObject([{ path: '/scanners/1' }, { path: '/scanners/2' }]);
  expect(some.fleet.states).toMatchObject({ idle: 2 });
});

test.each(foreignRequests)(
  '%s gets the pages of a scanner at most, and none of its data',
  async (_, lines) => {
    const some = await someFleet(scannerFacts(1));
    const headers = Object.fromEntries(lines.map((line) => line.split(': ')));
    for (const path of ['api/DeviceStatus', 'x/stored', 'metrics', 'openapi.json', 'asyncapi.json', 'data'])
      expect((await ask(some, `/scanners/1/${path}`, { headers })).status).toBe(403);
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    expect((await ask(some, '/scanners/1/apievents', { headers: { ...upgrade, ...headers } })).status).toBe(
      403,
    );
    const isWorker = lines.some((line) => /service-?worker/i.test(line));
    expect((await ask(some, '/scanners/1/docs', { headers })).status).toBe(isWorker ? 403 : 200);
  },
);

test('what a scanner of a fleet answers is data, but for its pages', async () => {
  const some = await someFleet(scannerFacts(1));
  const policy = async (path: string) =>
    (await fetch(`${some.url}/scanners/1${path}`)).headers.get('content-security-policy');
  for (const path of ['/api/DeviceStatus', '/api/unknown', '/metrics', '/healthz', '/no/page', '/cloud.pcd'])
    expect(await policy(path)).toMatch(/^sandbox; default-src 'none'/);
  expect(await policy('/docs')).toContain("script-src 'self'");
});
