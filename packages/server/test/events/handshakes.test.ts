import { once } from 'node:events';
import type { Release } from '@azimuth/model';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { Client, statusOf } from '@azimuth/test-support/client';
import { expectStatus } from '@azimuth/test-support/envelope';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
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
    'is accepted at %s',
    async (path) => {
      const scanner = await TestScanner.start();
      const { socket } = await EventClient.open(scanner.httpPort, path);
      expect(socket.extensions).toBe('permessage-deflate');
    },
  );

  test.each<[Release, string, number]>([
    ['2.2.0', '/apievents', 404],
    ['2.2.0', '/api/apievents', 200],
    ['2.4.4', '/x/nothing', 200],
    ['2.4.4', '/events', 404],
  ])('with %s at %s is a request like any other', async (release, path, httpStatus) => {
    const scanner = await TestScanner.start({ release });
    expect(await EventClient.refused(scanner.httpPort, path)).toBe(httpStatus);
    const { statusLine, headers, body } = await answerTo(scanner.httpPort, `GET ${path}`);
    expect(statusLine).toContain(` ${httpStatus} `);
    expect(headers.get('connection')).toBe('close');
    if (httpStatus === 200) expect(body).toContain('"status":5');
  });

  test.each<Release>(['1.4.0', '2.4.4'])('is taken at /x/events in release %s', async (release) => {
    const scanner = await TestScanner.start({ release });
    const taken = EventClient.open(scanner.httpPort, '/x/events');
    await expect(taken).resolves.toBeInstanceOf(EventClient);
  });

  test('that is missing is 426; under /api it is an unknown name', async () => {
    const scanner = await TestScanner.start();
    for (const path of ['/apievents', '/x/events', '/x/scan']) {
      const { statusLine, headers } = await answerTo(scanner.httpPort, `GET ${path}`, []);
      expect(statusLine).toContain(' 426 ');
      expect(headers.get('upgrade')).toBe('websocket');
    }
    expectStatus(await scanner.client().get('apievents'), 5);
  });

  test('below release 2.3.1 GET /apievents is HTTP 404', async () => {
    const scanner = await TestScanner.start({ release: '2.2.0' });
    expect((await answerTo(scanner.httpPort, 'GET /apievents', [])).statusLine).toContain(' 404 ');
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
    const scanner = await TestScanner.start();
    const { statusLine, headers } = await answerTo(scanner.httpPort, 'GET /apievents', handshake.map(change));
    expect(statusLine).toContain(` ${code} `);
    if (code === 426) expect(headers.get('sec-websocket-version')).toBe('13');
  });

  test('from a page of the scanner is accepted', async () => {
    const scanner = await TestScanner.start();
    const { httpPort } = scanner;
    const own = EventClient.open(httpPort, '/x/events', { origin: `http://127.0.0.1:${httpPort}` });
    await expect(own).resolves.toBeInstanceOf(EventClient);
    const named = EventClient.open(httpPort, '/x/events', {
      origin: 'http://gate',
      headers: { Host: 'gate:80' },
    });
    await expect(named).resolves.toBeInstanceOf(EventClient);
  });

  test('from a foreign page is accepted if its origin is allowed', async () => {
    const origin = 'http://localhost:5173';
    const scanner = await TestScanner.start({ web: { allowed: { origins: [origin] } } });
    await EventClient.open(scanner.httpPort, '/apievents', { origin });
    const strict = await TestScanner.start();
    const { statusLine } = await answerTo(strict.httpPort, 'GET /apievents', [
      ...handshake,
      `Origin: ${origin}`,
    ]);
    expect(statusLine).toContain(' 403 ');
  });

  test('that offers subprotocols gets none', async () => {
    const scanner = await TestScanner.start();
    const connection = await raw(scanner.httpPort);
    connection.request('GET /apievents', [...handshake, 'Sec-WebSocket-Protocol: wamp, mqtt']);
    const [answer] = await once(connection.socket, 'data');
    expect(String(answer)).toContain('HTTP/1.1 101 ');
    expect(String(answer)).not.toContain('Protocol:');
  });

  test('that is refused is counted', async () => {
    const scanner = await TestScanner.start();
    const changed = (from: string, to: string) => handshake.map((line) => line.replace(from, to));
    await answerTo(scanner.httpPort, 'GET /apievents', changed(': 13', ': 8'));
    await answerTo(scanner.httpPort, 'GET /api/apievents', changed('Key', 'Lock'));
    const unkeyed = await answerTo(scanner.httpPort, 'GET /x/events', changed('Key', 'Lock'));
    expect(unkeyed.body).toContain('Sec-WebSocket-Key');
    await answerTo(scanner.httpPort, 'GET /x/events?names=X', handshake);
    await answerTo(scanner.httpPort, 'GET /x/events', [...handshake, 'Origin: http://x']);
    const { text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
    expect(text.split('\n').filter((line) => /page_requests.*events/.test(line))).toEqual(
      [
        ['/apievents', 426, 1],
        ['/apievents', 400, 1],
        ['/x/events', 400, 2],
      ].map(([path, code, count]) => `azimuth_page_requests_total{path="${path}",code="${code}"} ${count}`),
    );
    expect(text).toContain('azimuth_turned_away_total{reason="origin"} 1\n');
  });

  test('that fails closes only its connection', async () => {
    const scanner = await TestScanner.start();
    const failing = vi.spyOn(WebSocketServer.prototype, 'handleUpgrade').mockImplementation(() => {
      throw new Error('out of order');
    });
    const connection = await raw(scanner.httpPort);
    connection.request('GET /apievents', handshake);
    await once(connection.socket, 'close');
    failing.mockRestore();
    const client = await EventClient.open(scanner.httpPort);
    expect(await client.register('DeviceStatus')).toMatchObject({ status: 0 });
  });

  test('with a body is refused', async () => {
    const scanner = await TestScanner.start();
    expect((await answerTo(scanner.httpPort, 'GET /apievents', handshake, 'x')).statusLine).toContain(
      ' 426 ',
    );
  });

  test('after a request in progress is not accepted, and the answer of the request still comes', async () => {
    const scanner = await TestScanner.start();
    const connection = await raw(scanner.httpPort);
    connection.request('POST /api/getChallenge', [], '{"data":{"user":"Service"}}');
    connection.request('GET /apievents', handshake);
    expect((await connection.response()).body).toContain('"status":0');
    expect((await connection.response()).statusLine).toContain(' 426 ');
  });

  test('after an answered request is accepted', async () => {
    const scanner = await TestScanner.start();
    const connection = await raw(scanner.httpPort);
    connection.request('GET /api/DeviceStatus');
    await connection.response();
    connection.request('GET /apievents', handshake);
    const [line] = await once(connection.socket, 'data');
    expect(String(line)).toContain('HTTP/1.1 101 ');
  });

  test('may be followed by messages at once, which are answered', async () => {
    const scanner = await TestScanner.start();
    const connection = await raw(scanner.httpPort);
    const head = ['GET /apievents HTTP/1.1', 'Host: x', ...handshake, '', ''].join('\r\n');
    // A ping with an empty mask.
    connection.write(Buffer.concat([Buffer.from(head), Buffer.of(0x89, 0x81, 0, 0, 0, 0, 0x41)]));
    let text = '';
    connection.socket.on('data', (part: Buffer) => {
      text += part.toString('latin1');
    });
    await expect.poll(() => text.slice(-3)).toBe('\x8a\x01A');
  });

  test('counts for the rate limit', async () => {
    const scanner = await TestScanner.start({ web: { rateLimit: 2 } });
    await EventClient.open(scanner.httpPort);
    await EventClient.open(scanner.httpPort);
    expect(await EventClient.refused(scanner.httpPort, '/apievents')).toBe(429);
    scanner.clock.advance(1000);
    await EventClient.open(scanner.httpPort);
  });

  test('above --max-connections gets status 11; a closed connection makes room', async () => {
    const scanner = await TestScanner.start({ web: { maxConnections: 1 } });
    const first = await EventClient.open(scanner.httpPort);
    const { body } = await answerTo(scanner.httpPort, 'GET /apievents');
    expect(body).toContain('"status":11');
    first.socket.close();
    await first.ending;
    await until(async () => {
      const client = new Client(scanner.httpPort);
      return statusOf(await client.get('DeviceStatus')) === 0;
    });
  });
});

const wanted = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk';
const payload = `{"data":{"user":"Service"},"more":"${'x'.repeat(1000)}"}`;

describe('an upgrade to h2c', () => {
  test('does not affect the body of a POST, and the connection closes after the answer', async () => {
    const scanner = await TestScanner.start();
    const { body, headers } = await answerTo(scanner.httpPort, 'POST /api/getChallenge', [wanted], payload);
    expect(body).toContain('"challenge"');
    expect(headers.get('connection')).toBe('close');
  });

  test('is ignored for a GET, also at the paths of WebSockets', async () => {
    const scanner = await TestScanner.start();
    expect((await answerTo(scanner.httpPort, 'GET /api/DeviceStatus', [wanted])).body).toContain(
      '"status":0',
    );
    expect((await answerTo(scanner.httpPort, 'GET /apievents', [wanted])).statusLine).toContain(' 426 ');
  });

  test('is ignored over TLS, too, where WebSockets are accepted as well', async () => {
    const scanner = await TestScanner.start();
    const leaf = issue();
    expectStatus(await scanner.client().call('setCertificateBundle', bundleOf([leaf])), 0);
    const tls = { ca: leaf.certificate, servername: 'localhost' };
    const client = new Client(scanner.httpsPort, { tls });
    const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' };
    const { text } = await client.send({ method: 'POST', path: '/api/getChallenge', headers, body: payload });
    expect(text).toContain('"challenge"');
    const events = await EventClient.open(scanner.httpsPort, '/apievents', tls);
    expect(await events.register('DeviceStatus')).toMatchObject({ data: { DeviceStatus: 3 } });
    const closed = events.ending;
    expectStatus(await scanner.client().call('RebootDevice'), 0);
    expect(await closed).toBe(1006);
  });
});

test('a reboot and the end of the scanner close WebSockets like other connections', async () => {
  const scanner = await TestScanner.start();
  const clients = await Promise.all(
    ['/apievents', '/x/events'].map((path) => EventClient.open(scanner.httpPort, path)),
  );
  await clients[0]?.register('DeviceStatus');
  scanner.service.device.lifecycle.reboot();
  expect(await Promise.all(clients.map(({ ending }) => ending))).toEqual([1006, 1006]);
  scanner.clock.advance(bootMilliseconds);
  await until(() => scanner.service.url !== undefined);
  const again = await EventClient.open(scanner.httpPort);
  expect(await again.register('DeviceStatus')).toMatchObject({ data: { DeviceStatus: 3 } });
  const closed = again.ending;
  await scanner.service.close();
  expect(await closed).toBe(1006);
});

test('two hundred closed connections leave no registration, no listener and no count', async () => {
  const scanner = await TestScanner.start({ web: { maxConnections: 150 } });
  const { device } = scanner.service;
  let following = 0;
  const follow = device.follow.bind(device);
  vi.spyOn(device, 'follow').mockImplementation((variable, listener) => {
    const stop = follow(variable, listener);
    following++;
    let stopped = false;
    return () => {
      if (!stopped) following--;
      stopped = true;
      stop();
    };
  });
  const subscribers = vi.spyOn(device.announcements, 'subscribe');
  for (let round = 0; round < 2; round++) {
    const clients = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const isWatching = index % 5 === 0;
        const path = isWatching ? '/x/events?names=InertialMeasurementUnit' : '/apievents';
        const client = await EventClient.open(scanner.httpPort, path);
        if (!isWatching)
          await client.register('InertialMeasurementUnit', 1, { throttle: { minOutputIntervalMs: 5000 } });
        return client;
      }),
    );
    const { text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
    expect(text).toContain('azimuth_event_connections 100\n');
    expect(text).toContain('azimuth_event_registrations 80\n');
    // One watch is for all registrations, one for all that watch the same.
    expect(following).toBe(2);
    expect(subscribers).toHaveBeenCalledTimes(round + 1);
    scanner.clock.advance(10);
    for (const { socket } of clients) socket.terminate();
    await until(async () => {
      const page = await scanner.client().send({ method: 'GET', path: '/metrics' });
      return page.text.includes('azimuth_event_connections 0\n');
    });
    expect(following).toBe(0);
  }
  const page = await scanner.client().send({ method: 'GET', path: '/metrics' });
  expect(page.text).toContain('azimuth_event_registrations 0\n');
  expect(page.text).toContain('azimuth_page_requests_total{path="/apievents",code="101"} 160\n');
  const [stop] = subscribers.mock.results;
  expect(stop?.type).toBe('return');
});
