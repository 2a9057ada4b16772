import { once } from 'node:events';
import type { Release } from '@azimuth/model';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { bundleOf, issue } from '../../../../tests/support/certificates.js';
import { Client, statusOf } from '../../../../tests/support/client.js';
import { expectStatus } from '../../../../tests/support/envelope.js';
import { RawConnection } from '../../../../tests/support/raw-connection.js';
import { Bench, bootMilliseconds } from '../../../../tests/support/service-test-bench.js';
import { until } from '../../../../tests/support/waiting.js';
import { EventClient } from './client.js';

const handshake = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

async function raw(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  return connection;
}

async function answerTo(port: number, line: string, headers = handshake, body?: string) {
  const connection = await raw(port);
  connection.request(line, headers, body);
  return connection.response();
}

describe('a handshake', () => {
  test.each(['/apievents', '/api/apievents', '/x/events', '/apievents?a=b', '/%61pievents'])(
    'is taken at %s',
    async (path) => {
      const bench = await Bench.start();
      const { socket } = await EventClient.open(bench.httpPort, path);
      expect(socket.extensions).toBe('permessage-deflate');
    },
  );

  test.each<[Release, string, number]>([
    ['2.2.0', '/apievents', 404],
    ['2.2.0', '/api/apievents', 200],
    ['2.4.4', '/x/nothing', 200],
    ['2.4.4', '/events', 404],
  ])('with %s at %s is a request like any other', async (release, path, httpStatus) => {
    const bench = await Bench.start({ release });
    expect(await EventClient.refused(bench.httpPort, path)).toBe(httpStatus);
    const { statusLine, headers, body } = await answerTo(bench.httpPort, `GET ${path}`);
    expect(statusLine).toContain(` ${httpStatus} `);
    expect(headers.get('connection')).toBe('close');
    if (httpStatus === 200) expect(body).toContain('"status":5');
  });

  test.each<Release>(['1.4.0', '2.4.4'])('is taken at /x/events in release %s', async (release) => {
    const bench = await Bench.start({ release });
    await EventClient.open(bench.httpPort, '/x/events');
  });

  test('is asked for where it is missing, with 426; under /api that is no name', async () => {
    const bench = await Bench.start();
    for (const path of ['/apievents', '/x/events']) {
      const { statusLine, headers } = await answerTo(bench.httpPort, `GET ${path}`, []);
      expect(statusLine).toContain(' 426 ');
      expect(headers.get('upgrade')).toBe('websocket');
    }
    expectStatus(await bench.client().get('apievents'), 5);
  });

  test('below release 2.3.1 a GET of /apievents finds nothing', async () => {
    const bench = await Bench.start({ release: '2.2.0' });
    expect((await answerTo(bench.httpPort, 'GET /apievents', [])).statusLine).toContain(' 404 ');
  });

  test.each([
    ['of another version', (line: string) => line.replace(/: 13$/, ': 8'), 426],
    ['without a key', (line: string) => line.replace('Key', 'Lock'), 400],
    [
      'of a page elsewhere',
      (line: string) => line.replace('Connection', 'Origin: http://x\r\nConnection'),
      403,
    ],
    ['of no page', (line: string) => line.replace('Connection', 'Origin: null\r\nConnection'), 403],
  ])('%s is refused', async (_, change, code) => {
    const bench = await Bench.start();
    const { statusLine, headers } = await answerTo(bench.httpPort, 'GET /apievents', handshake.map(change));
    expect(statusLine).toContain(` ${code} `);
    if (code === 426) expect(headers.get('sec-websocket-version')).toBe('13');
  });

  test('of a page of the scanner itself is taken', async () => {
    const bench = await Bench.start();
    await EventClient.open(bench.httpPort, '/x/events', { origin: `http://127.0.0.1:${bench.httpPort}` });
    await EventClient.open(bench.httpPort, '/x/events', {
      origin: 'http://gate',
      headers: { Host: 'gate:80' },
    });
  });

  test('of another page of the same machine is taken where its origin is allowed', async () => {
    const origin = 'http://localhost:5173';
    const bench = await Bench.start({ web: { allowed: { origins: [origin] } } });
    await EventClient.open(bench.httpPort, '/apievents', { origin });
    const strict = await Bench.start();
    const { statusLine } = await answerTo(strict.httpPort, 'GET /apievents', [
      ...handshake,
      `Origin: ${origin}`,
    ]);
    expect(statusLine).toContain(' 403 ');
  });

  test('that options for a subprotocol gets none', async () => {
    const bench = await Bench.start();
    const connection = await raw(bench.httpPort);
    connection.request('GET /apievents', [...handshake, 'Sec-WebSocket-Protocol: wamp, mqtt']);
    const [answer] = await once(connection.socket, 'data');
    expect(String(answer)).toContain('HTTP/1.1 101 ');
    expect(String(answer)).not.toContain('Protocol:');
  });

  test('that is refused is counted', async () => {
    const bench = await Bench.start();
    const changed = (from: string, to: string) => handshake.map((line) => line.replace(from, to));
    await answerTo(bench.httpPort, 'GET /apievents', changed(': 13', ': 8'));
    await answerTo(bench.httpPort, 'GET /api/apievents', changed('Key', 'Lock'));
    const unkeyed = await answerTo(bench.httpPort, 'GET /x/events', changed('Key', 'Lock'));
    expect(unkeyed.body).toContain('Sec-WebSocket-Key');
    await answerTo(bench.httpPort, 'GET /x/events?names=X', handshake);
    await answerTo(bench.httpPort, 'GET /x/events', [...handshake, 'Origin: http://x']);
    const { text } = await bench.client().send({ method: 'GET', path: '/metrics' });
    expect(text.split('\n').filter((line) => /page_requests.*events/.test(line))).toEqual(
      [
        ['/apievents', 426, 1],
        ['/apievents', 400, 1],
        ['/x/events', 400, 2],
      ].map(([path, code, count]) => `azimuth_page_requests_total{path="${path}",code="${code}"} ${count}`),
    );
    expect(text).toContain('azimuth_turned_away_total{reason="origin"} 1\n');
  });

  test('that fails ends its connection, and the scanner goes on', async () => {
    const bench = await Bench.start();
    const failing = vi.spyOn(WebSocketServer.prototype, 'handleUpgrade').mockImplementation(() => {
      throw new Error('out of order');
    });
    const connection = await raw(bench.httpPort);
    connection.request('GET /apievents', handshake);
    await once(connection.socket, 'close');
    failing.mockRestore();
    const client = await EventClient.open(bench.httpPort);
    expect(await client.register('DeviceStatus')).toMatchObject({ status: 0 });
  });

  test('with a body is none', async () => {
    const bench = await Bench.start();
    expect((await answerTo(bench.httpPort, 'GET /apievents', handshake, 'x')).statusLine).toContain(' 426 ');
  });

  test('behind a request that is being worked on is none, and takes no answer away', async () => {
    const bench = await Bench.start();
    const connection = await raw(bench.httpPort);
    connection.request('POST /api/getChallenge', [], '{"data":{"user":"Service"}}');
    connection.request('GET /apievents', handshake);
    expect((await connection.response()).body).toContain('"status":0');
    expect((await connection.response()).statusLine).toContain(' 426 ');
  });

  test('behind the answer to another request is taken', async () => {
    const bench = await Bench.start();
    const connection = await raw(bench.httpPort);
    connection.request('GET /api/DeviceStatus');
    await connection.response();
    connection.request('GET /apievents', handshake);
    const [line] = await once(connection.socket, 'data');
    expect(String(line)).toContain('HTTP/1.1 101 ');
  });

  test('with messages right behind it: they are answered', async () => {
    const bench = await Bench.start();
    const connection = await raw(bench.httpPort);
    const head = ['GET /apievents HTTP/1.1', 'Host: x', ...handshake, '', ''].join('\r\n');
    // A ping with an empty mask.
    connection.write(Buffer.concat([Buffer.from(head), Buffer.of(0x89, 0x81, 0, 0, 0, 0, 0x41)]));
    let text = '';
    connection.socket.on('data', (part: Buffer) => {
      text += part.toString('latin1');
    });
    await until(() => text.endsWith('\x8a\x01A'));
  });

  test('counts for the rate limit', async () => {
    const bench = await Bench.start({ web: { rateLimit: 2 } });
    await EventClient.open(bench.httpPort);
    await EventClient.open(bench.httpPort);
    expect(await EventClient.refused(bench.httpPort, '/apievents')).toBe(429);
    bench.clock.advance(1000);
    await EventClient.open(bench.httpPort);
  });

  test('above --max-connections has status 11, and one that closes makes room', async () => {
    const bench = await Bench.start({ web: { maxConnections: 1 } });
    const first = await EventClient.open(bench.httpPort);
    const { body } = await answerTo(bench.httpPort, 'GET /apievents');
    expect(body).toContain('"status":11');
    first.socket.close();
    await first.ending;
    await until(async () => {
      const client = new Client(bench.httpPort);
      return statusOf(await client.get('DeviceStatus')) === 0;
    });
  });
});

const wanted = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk';
const payload = `{"data":{"user":"Service"},"more":"${'x'.repeat(1000)}"}`;

describe('a wish for h2c', () => {
  test('of a POST leaves it its body, and the answer is the last', async () => {
    const bench = await Bench.start();
    const { body, headers } = await answerTo(bench.httpPort, 'POST /api/getChallenge', [wanted], payload);
    expect(body).toContain('"challenge"');
    expect(headers.get('connection')).toBe('close');
  });

  test('of a GET is passed over, also where WebSockets are', async () => {
    const bench = await Bench.start();
    expect((await answerTo(bench.httpPort, 'GET /api/DeviceStatus', [wanted])).body).toContain('"status":0');
    expect((await answerTo(bench.httpPort, 'GET /apievents', [wanted])).statusLine).toContain(' 426 ');
  });

  test('is passed over behind TLS too, where WebSockets are taken as well', async () => {
    const bench = await Bench.start();
    const leaf = issue();
    expectStatus(await bench.client().call('setCertificateBundle', bundleOf([leaf])), 0);
    const tls = { ca: leaf.certificate, servername: 'localhost' };
    const client = new Client(bench.httpsPort, { tls });
    const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' };
    const { text } = await client.send({ method: 'POST', path: '/api/getChallenge', headers, body: payload });
    expect(text).toContain('"challenge"');
    const events = await EventClient.open(bench.httpsPort, '/apievents', tls);
    expect(await events.register('DeviceStatus')).toMatchObject({ data: { DeviceStatus: 3 } });
    const closed = events.ending;
    expectStatus(await bench.client().call('RebootDevice'), 0);
    expect(await closed).toBe(1006);
  });
});

test('a reboot and the end of the scanner close WebSockets like all connections', async () => {
  const bench = await Bench.start();
  const clients = await Promise.all(
    ['/apievents', '/x/events'].map((path) => EventClient.open(bench.httpPort, path)),
  );
  await clients[0]?.register('DeviceStatus');
  bench.service.device.lifecycle.reboot();
  expect(await Promise.all(clients.map(({ ending }) => ending))).toEqual([1006, 1006]);
  bench.clock.advance(bootMilliseconds);
  await until(() => bench.service.url !== undefined);
  const again = await EventClient.open(bench.httpPort);
  expect(await again.register('DeviceStatus')).toMatchObject({ data: { DeviceStatus: 3 } });
  const closed = again.ending;
  await bench.service.close();
  expect(await closed).toBe(1006);
});

test('two hundred connections that come and go leave no registration, no follower and no count', async () => {
  const bench = await Bench.start({ web: { maxConnections: 150 } });
  const { announcements } = bench.service.device;
  let following = 0;
  const follow = announcements.follow.bind(announcements);
  vi.spyOn(announcements, 'follow').mockImplementation((variable, listener) => {
    const stop = follow(variable, listener);
    following++;
    let stopped = false;
    return () => {
      if (!stopped) following--;
      stopped = true;
      stop();
    };
  });
  const subscribers = vi.spyOn(announcements, 'subscribe');
  for (let round = 0; round < 2; round++) {
    const clients = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const isWatching = index % 5 === 0;
        const path = isWatching ? '/x/events?names=InertialMeasurementUnit' : '/apievents';
        const client = await EventClient.open(bench.httpPort, path);
        if (!isWatching)
          await client.register('InertialMeasurementUnit', 1, { throttle: { minOutputIntervalMs: 5000 } });
        return client;
      }),
    );
    const { text } = await bench.client().send({ method: 'GET', path: '/metrics' });
    expect(text).toContain('azimuth_event_connections 100\n');
    expect(text).toContain('azimuth_event_registrations 80\n');
    // One for all registrations, one for all who watch the same.
    expect(following).toBe(2);
    expect(subscribers).toHaveBeenCalledTimes(round + 1);
    bench.clock.advance(10);
    for (const { socket } of clients) socket.terminate();
    await until(async () => {
      const page = await bench.client().send({ method: 'GET', path: '/metrics' });
      return page.text.includes('azimuth_event_connections 0\n');
    });
    expect(following).toBe(0);
  }
  const page = await bench.client().send({ method: 'GET', path: '/metrics' });
  expect(page.text).toContain('azimuth_event_registrations 0\n');
  expect(page.text).toContain('azimuth_page_requests_total{path="/apievents",code="101"} 160\n');
  const [stop] = subscribers.mock.results;
  expect(stop?.type).toBe('return');
});
