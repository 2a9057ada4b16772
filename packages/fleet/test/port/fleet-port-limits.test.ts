import { once } from 'node:events';
import { Scanner } from '@azimuth/client';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { FleetPort } from '../../src/index.js';
import { mostUsesOfScanner } from '../../src/limits.js';
import { gatewayTo } from '../gateway/gateway-and-workers.js';

async function withConnections(some: SomeFleet, maxConnections: number): Promise<SomeFleet> {
  const fleetPort = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections });
  const url = await fleetPort.open();
  fleetPort.serve(some.fleet);
  onTestFinished(() => fleetPort.close());
  return { ...some, url };
}

const portOf = ({ url }: SomeFleet) => Number(new URL(url).port);

test('connections without a request give way to those of others, the oldest first', async () => {
  const some = await withConnections(await someFleet(scannerFacts(2)), 8);
  const used = await RawConnection.open(portOf(some));
  used.request('GET /scanners/1/api/SerialNumber');
  expect((await used.response()).body).toContain('"1"');
  used.request('POST /scanners/1/api/LocationName', ['Content-Length: 100']);
  const silent: RawConnection[] = [];
  for (let count = 0; count < 20; count++) {
    const connection = await RawConnection.open(portOf(some));
    connection.write('GET /scanners/1/api/Ser');
    silent.push(connection);
  }
  await until(() => silent.filter(({ isClosed }) => isClosed).length === 13);
  expect(silent.findIndex(({ isClosed }) => !isClosed)).toBe(13);
  expect(await new Scanner({ url: urlOf(some, '2') }).read('SerialNumber')).toBe('2');
  // The client with an incomplete request has kept its connection.
  used.write('x'.repeat(100));
  expect((await used.response()).statusLine).toContain('200');
});

test('requests of one address that do not end leave room for those of others', async () => {
  const some = await withConnections(await someFleet(scannerFacts(2)), 4);
  const hogs: RawConnection[] = [];
  for (let count = 0; count < 4; count++) {
    const hog = await RawConnection.open(portOf(some), '127.0.0.1', '127.0.0.2');
    hog.request('POST /scanners/1/api/LocationName', ['Content-Length: 100']);
    hogs.push(hog);
  }
  expect(await new Scanner({ url: urlOf(some, '2') }).read('SerialNumber')).toBe('2');
  await until(() => hogs.some(({ isClosed }) => isClosed));
  expect(hogs.filter(({ isClosed }) => isClosed)).toHaveLength(1);
});

test('one scanner takes only a part of the connections, whatever it is asked', async () => {
  const some = await withConnections(await someFleet(scannerFacts(2)), mostUsesOfScanner + 100);
  const slow = await Promise.all(
    Array.from({ length: mostUsesOfScanner + 5 }, () => RawConnection.open(portOf(some))),
  );
  for (const connection of slow)
    connection.request('POST /scanners/1/api/LocationName', ['Content-Length: 100']);
  const refused = await Promise.race(slow.map((connection) => connection.response()));
  expect(refused.statusLine).toContain('503');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.body).toContain('{"header":{"status":11,"message":"Out Of Connections"}}');
  expect(await new Scanner({ url: urlOf(some, '2') }).read('SerialNumber')).toBe('2');
  for (const connection of slow) connection.destroy();
  const one = new Scanner({ url: urlOf(some, '1') });
  await until(async () => (await one.read('SerialNumber').catch(() => '')) === '1');
});

test('of the requests that a client sends to the fleet at once, one is answered at a time, and too many are refused', async () => {
  const some = await someFleet(scannerFacts(50));
  let lists = 0;
  const { scanners: all } = some.fleet;
  const counted = new Proxy(some.fleet, {
    get(fleet, name) {
      if (name === 'scanners') lists++;
      const value: unknown = Reflect.get(fleet, name, fleet);
      return typeof value === 'function' ? value.bind(fleet) : value;
    },
  });
  const fleetPort = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections: 10 });
  const url = await fleetPort.open();
  fleetPort.serve(counted);
  onTestFinished(() => fleetPort.close());
  const client = await RawConnection.open(portOf({ ...some, url }));
  client.write('GET /scanners HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000));
  const answers: string[] = [];
  for (;;) {
    const { statusLine, body } = await client.response();
    answers.push(statusLine);
    if (!statusLine.includes('200')) {
      expect(`${statusLine} ${body} ${answers.length} ${lists}`).toContain('429');
      expect(body).toContain('{"status":11,"message":"Out Of Connections"}');
      break;
    }
  }
  expect(answers.length).toBeLessThan(200);
  expect(lists).toBeLessThan(200);
  expect(all.size).toBe(50);
});

test('what HTTP forbids is refused as by a scanner alone', async () => {
  const some = await someFleet(scannerFacts(1));
  const failed = '{"header":{"status":1,';
  const answerTo = async (text: string) => {
    const client = await RawConnection.open(portOf(some));
    client.write(text);
    const { statusLine, body } = await client.response();
    return `${statusLine} ${body}`;
  };
  for (const path of ['/scanners', '/scanners/1/api/SerialNumber']) {
    expect(await answerTo(`GET ${path} HTTP/1.1\r\n\r\n`)).toMatch(/ 400 .*"status":1,/);
    expect(await answerTo(`GET ${path} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toContain(
      failed,
    );
    expect(await answerTo(`GET ${path} HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n`)).toMatch(
      / 417 .*"status":1,/,
    );
  }
  expect(await answerTo('no HTTP\r\n\r\n')).toMatch(/ 400 .*"status":1,/);
  expect(await answerTo('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/ 400 .*"status":1,/);
});

/** The port of a gateway to nobody. */
async function gatewayWith(maxConnections: number): Promise<string> {
  return (await gatewayTo([], 1, { maxConnections, patience: 60_000 })).url;
}

test.each([
  ['a fleet', async (most: number) => (await withConnections(await someFleet(scannerFacts(1)), most)).url],
  ['a gateway', gatewayWith],
])('probes of %s are answered while one address has all connections', async (_, opened) => {
  const port = Number(new URL(await opened(4)).port);
  const hogs = await Promise.all(Array.from({ length: 4 }, () => RawConnection.open(port)));
  for (const hog of hogs) {
    hog.request('POST /scanners/1/api/LocationName', ['Content-Length: 100', 'Expect: 100-continue']);
    // The port has the request.
    await once(hog.socket, 'data');
  }
  const silent = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(port)));
  for (const path of ['/healthz', '/readyz', '/scanners', '/scanners/1/api/DeviceStatus']) {
    const connection = await RawConnection.open(port);
    connection.request(`GET ${path}`);
    const { statusLine, headers } = await connection.response();
    expect([path, statusLine]).toEqual([
      path,
      expect.stringContaining(path.endsWith('z') ? ' 200 ' : ' 503 '),
    ]);
    expect(headers.get('connection')).toBe('close');
    await connection.closed;
  }
  expect(hogs.filter(({ isClosed }) => isClosed)).toHaveLength(0);
  for (const connection of [...hogs, ...silent]) connection.destroy();
});

test('an address that follows the events as often as it may leaves room for others', async () => {
  const some = await someFleet(scannerFacts(1));
  const follow = async (from: string, line = 'GET /fleet/events') => {
    const connection = await RawConnection.open(portOf(some), '127.0.0.1', from);
    connection.request(line);
    onTestFinished(() => connection.destroy());
    return connection;
  };
  const many = await Promise.all(Array.from({ length: 64 }, () => follow('127.0.0.2')));
  await until(() => some.fleet.events.followers === 64);
  expect((await (await follow('127.0.0.2')).response()).statusLine).toContain('503');
  // Streams without events cost no others a stream.
  const { socket } = await follow('127.0.0.3', 'HEAD /fleet/events');
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
  expect(many.filter(({ isClosed }) => isClosed)).toHaveLength(0);
  const other = await follow('127.0.0.3');
  await until(() => many.some(({ isClosed }) => isClosed));
  expect(many.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  expect(other.isClosed).toBe(false);
});
