import { bundleOf, issue } from '@azimuth/test-support/certificates';
import type { Client, HttpResponse } from '@azimuth/test-support/client';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { expectResponse, openAndSend, RawConnection } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

/** A page of a stranger, whose name leads to the scanner now. */
const rebound = { Host: 'evil.example:8080', Origin: 'http://evil.example:8080' };

/** HTTP 403 and one line that names the option. */
function expectForbidden(reply: HttpResponse, option: string): void {
  expect(reply.httpStatus).toBe(403);
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(reply.text).toMatch(/^[^\n]+\n$/);
  expect(reply.text).toContain(option);
  expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
}

/** Metrics that were made just now: all who ask within a second get the same, and each request for them counts. */
async function metrics(): Promise<string> {
  const ask = async () => (await client().send({ method: 'GET', path: '/metrics' })).text;
  const asked = (text: string) => /^azimuth_page_requests_total\{path="\/metrics".*$/m.exec(text)?.[0];
  const before = asked(await ask());
  let text = '';
  await until(async () => {
    text = await ask();
    return asked(text) !== before;
  });
  return text;
}

async function turnedAway(reason: string): Promise<number> {
  const count = new RegExp(`^azimuth_turned_away_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
  return Number(count.exec(await metrics())?.[1] ?? 0);
}

async function failedLogins(): Promise<string[]> {
  const lines = (await metrics()).split('\n');
  return lines.filter((line) => /^azimuth_(logins|login_lock|challenges)/.test(line));
}

test.each([
  '/api/DeviceStatus',
  '/api/NoSuchName',
  '/x/stored',
  '/metrics',
  '/healthz',
  '/openapi.json',
  '/asyncapi.json',
  '/docs',
  '/cloud.pcd',
  '/nothing',
])('no browser is to guess that an answer is a page: %s', async (path) => {
  const { headers } = await client().send({ method: 'GET', path });
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test.each([
  '/api/DeviceStatus',
  '/x/stored',
  '/metrics',
  '/healthz',
  '/openapi.json',
  '/docs',
  '/nothing',
  '/apievents',
])('a name that somebody points at the scanner reads nothing: %s', async (path) => {
  expectForbidden(
    await client().send({ method: 'GET', path, headers: { Host: rebound.Host } }),
    '--allowed-host',
  );
  const absolute = `http://${rebound.Host}${path}`;
  expectForbidden(await client().send({ method: 'GET', path: absolute }), '--allowed-host');
});

test('a POST of a page of another origin has no effect, also with a plain text body', async () => {
  const before = await client().value('LocationName');
  const header = await client().header('LocationName');
  const body = JSON.stringify({ header, data: { LocationName: 'theirs' } });
  const refused = await turnedAway('origin');
  for (const Origin of ['http://evil.example', 'https://127.0.0.1', 'http://127.0.0.1:1', 'null', '']) {
    const headers = { Origin, 'Content-Type': 'text/plain' };
    expectForbidden(await client().postText('LocationName', body, headers), '--allowed-origin');
  }
  expect(await client().value('LocationName')).toBe(before);
  expect(await turnedAway('origin')).toBe(refused + 5);
  // The challenge is as good as it was.
  expectDone(await client().postText('LocationName', body));
});

test('logins of a page of another origin do not count, and do not lock logins', async () => {
  const before = await failedLogins();
  const header = { ...(await client().header('LocationName')), response: '0'.repeat(64) };
  const body = JSON.stringify({ header, data: { LocationName: 'theirs' } });
  for (let guess = 0; guess < 10; guess++) {
    for (const headers of [rebound, { Origin: 'http://evil.example' }]) {
      expect((await client().postText('LocationName', body, headers)).httpStatus).toBe(403);
      const asking = '{"data":{"user":"Service"}}';
      expect((await client().postText('getChallenge', asking, headers)).httpStatus).toBe(403);
      const basic = { ...headers, Authorization: 'Basic U2VydmljZTpndWVzcw==' };
      expect((await client().postText('CreateSessionToken', '', basic)).httpStatus).toBe(403);
    }
  }
  const sum = (lines: readonly string[]) => lines.filter((line) => !line.includes('challenges'));
  expect(sum(await failedLogins())).toEqual(sum(before));
  expectDone(await client().write('LocationName', 'ours'));
});

test('a page of another origin cannot open a WebSocket, and a page of the scanner can', async () => {
  for (const path of ['/apievents', '/api/apievents', '/x/events', '/x/scan']) {
    const strange: Record<string, string>[] = [
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { Host: 'evil.example' },
    ];
    for (const headers of strange) {
      const { httpStatus, body } = await WebSocketClient.refused(client().port, { path, headers });
      expect(httpStatus).toBe(403);
      expect(body).toMatch(/^[^\n]*--allowed-(host|origin)[^\n]*\n$/);
    }
  }
  const headers = { Host: 'gate.local:81', Origin: 'http://gate.local:81' };
  (await WebSocketClient.open(client().port, { path: '/x/events', headers })).destroy();
});

test('a page of the scanner can read and write, and so can a program that sends no Origin', async () => {
  const port = client().port;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '[::1]:80', 'scanner:8080', 'Gate.local.']) {
    const own = { Host: host, Origin: `http://${host}` };
    expectStatus(
      await client().send({ method: 'GET', path: '/api/DeviceStatus', headers: { Host: host } }),
      0,
    );
    const header = await client().header('LocationName');
    const body = JSON.stringify({ header, data: { LocationName: host } });
    expectDone(await client().postText('LocationName', body, own));
    expect(await client().value('LocationName')).toBe(host);
  }
});

test('after a refusal the connection stays usable, and the refused body is skipped', async () => {
  const connection = await RawConnection.open(client().port);
  connection.request('POST /api/getChallenge', ['Origin: http://evil.example'], 'x'.repeat(100_000));
  expect((await connection.response()).statusLine).toBe('HTTP/1.1 403 Forbidden');
  connection.request('GET /api/DeviceStatus');
  await expectResponse(connection);
  connection.destroy();
});

test('without a Host, as in HTTP/1.0, a program is served; a page and a foreign target are refused', async () => {
  const { port } = client();
  await expectResponse(await openAndSend(port, 'GET /api/DeviceStatus HTTP/1.0\r\n\r\n'));
  for (const text of [
    'GET /api/DeviceStatus HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n',
    'GET http://evil.example/api/DeviceStatus HTTP/1.0\r\n\r\n',
    'GET /api/DeviceStatus HTTP/1.0\r\nHost: evil.example\r\n\r\n',
  ]) {
    expect((await (await openAndSend(port, text)).response()).statusLine).toBe('HTTP/1.1 403 Forbidden');
  }
});

test('HTTPS refuses the same hosts and origins', async () => {
  const leaf = issue();
  const own = await new ScannerFolder().start();
  expectStatus(await own.client().call('setCertificateBundle', bundleOf([leaf])), 0);
  const secure = own.client({ tls: { ca: leaf.certificate, servername: 'localhost' } });
  const get = { method: 'GET', path: '/api/DeviceStatus' };
  expectStatus(await secure.send({ ...get, headers: { Host: 'gate', Origin: 'https://gate' } }), 0);
  expectForbidden(await secure.send({ ...get, headers: { Host: 'evil.example' } }), '--allowed-host');
  const elsewhere = { Host: 'gate', Origin: 'https://evil.example' };
  expectForbidden(await secure.send({ ...get, headers: elsewhere }), '--allowed-origin');
});

describe('the control port', () => {
  const advance = async (headers: Record<string, string>) => {
    const { Client } = await import('@azimuth/test-support/client');
    const request = { method: 'POST', path: '/temperature', headers, body: '{"celsius":33}' };
    return new Client(scanner().controlPort).send(request);
  };

  test('refuses hosts that are no loopback, and foreign origins, in its JSON format, and counts the refusals', async () => {
    const before = [await turnedAway('host'), await turnedAway('origin')];
    const host = await advance({ Host: 'evil.example' });
    expect([host.httpStatus, host.text]).toEqual([403, expect.stringContaining('loopback name as Host')]);
    const origin = await advance({ Origin: 'http://evil.example' });
    expect([origin.httpStatus, origin.text]).toEqual([403, expect.stringContaining('--allowed-origin')]);
    expect([await turnedAway('host'), await turnedAway('origin')]).toEqual(before.map((count) => count + 1));
    expect((await advance({ Host: 'scanner:9000' })).httpStatus).toBe(403);
    expect((await advance({ Host: 'localhost:9000' })).httpStatus).toBe(200);
  });

  test('refuses a request with two Host headers or without one', async () => {
    for (const hosts of [
      'Host: localhost\r\nHost: localhost\r\n',
      'Host: localhost\r\nhOST: evil.example\r\n',
    ]) {
      const connection = await RawConnection.open(scanner().controlPort);
      connection.write(`POST /power-cycle HTTP/1.1\r\n${hosts}Content-Length: 0\r\n\r\n`);
      const { statusLine, body } = await connection.response();
      expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
      expect(body).toContain('the header Host may come once only');
      connection.destroy();
    }
    for (const [version, why] of [
      ['1.0', 'expected exactly one header Host'],
      ['1.1', 'HTTP/1.1 needs the header Host'],
    ] as const) {
      const without = await RawConnection.open(scanner().controlPort);
      without.write(`POST /power-cycle HTTP/${version}\r\n\r\n`);
      const { statusLine, body } = await without.response();
      expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
      expect(body).toContain(why);
      without.destroy();
    }
    expect(await scanner().isUp()).toBe(true);
  });
});

describe('what is allowed by name', () => {
  const panel = 'https://panel.example.com';
  const allowing = sharedScanner([
    ...['--allowed-host', 'scanner.example.com', '--allowed-host', 'Other.example'],
    ...['--allowed-origin', `${panel}/`, '--allowed-origin', 'http://localhost:5173'],
  ]);
  const asked = (method: string, path: string, headers: Record<string, string>): Promise<HttpResponse> =>
    allowing().client().send({ method, path, headers });

  test('--allowed-host: this host and its pages are served, and no other host', async () => {
    for (const Host of ['scanner.example.com', 'SCANNER.example.com:8443', 'other.example.']) {
      const headers = { Host, Origin: `https://${Host}` };
      expectStatus(await asked('GET', '/api/DeviceStatus', headers), 0);
    }
    expectForbidden(await asked('GET', '/api/DeviceStatus', { Host: 'example.com' }), '--allowed-host');
  });

  test('--allowed-origin: only a page of this origin can read replies and their explanatory headers', async () => {
    const reply = await asked('GET', '/api/Nothing', { Origin: panel });
    expect(reply.httpStatus).toBe(200);
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': panel, vary: 'Origin' });
    expect(reply.headers['access-control-expose-headers']).toContain('Azimuth-Detail');
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
    const program = await asked('GET', '/api/DeviceStatus', {});
    expect(program.headers).toMatchObject({ vary: 'Origin' });
    expect(program.headers).not.toHaveProperty('access-control-allow-origin');
    for (const Origin of ['http://panel.example.com', 'https://evil.example', 'null']) {
      expectForbidden(await asked('GET', '/api/DeviceStatus', { Origin }), '--allowed-origin');
    }
    for (const path of ['/metrics', '/openapi.json', '/nothing']) {
      const { headers } = await asked('GET', path, { Origin: 'http://localhost:5173' });
      expect(headers['access-control-allow-origin']).toBe('http://localhost:5173');
    }
  });

  test('a preflight request is answered with what an allowed page may send', async () => {
    const preflight = {
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    };
    for (const path of ['/api/LocationName', '/api/parameterbackup', '/x/fields']) {
      const { httpStatus, headers, text } = await asked('OPTIONS', path, { Origin: panel, ...preflight });
      expect([httpStatus, text]).toEqual([204, '']);
      expect(headers['access-control-allow-origin']).toBe(panel);
      expect(headers['access-control-allow-methods']?.split(', ')).toEqual(
        expect.arrayContaining(['GET', 'POST', 'PUT']),
      );
      expect(headers['access-control-allow-headers']?.toLowerCase().split(', ').sort()).toEqual([
        'authorization',
        'content-type',
        'x-session-token',
      ]);
    }
    const elsewhere = await asked('OPTIONS', '/api/LocationName', {
      Origin: 'https://evil.example',
      ...preflight,
    });
    expectForbidden(elsewhere, '--allowed-origin');
    // What is no question of a browser is answered as ever.
    expectStatus(await asked('OPTIONS', '/api/LocationName', { Origin: panel }), 5);
    expectStatus(await asked('OPTIONS', '/api/LocationName', preflight), 5);
  });

  test('an allowed page may open a WebSocket, but neither it nor an allowed host may use the control port', async () => {
    const { port } = allowing().client();
    (await WebSocketClient.open(port, { headers: { Origin: panel } })).destroy();
    const { Client } = await import('@azimuth/test-support/client');
    const control: Client = new Client(allowing().controlPort);
    const reply = await control.send({ method: 'GET', path: '/', headers: { Origin: panel } });
    expect(reply.httpStatus).toBe(403);
    const named = await control.send({ method: 'GET', path: '/', headers: { Host: 'scanner.example.com' } });
    expect(named.httpStatus).toBe(403);
  });

  test('the names may also come from the environment, separated by commas or blanks', async () => {
    const env = {
      AZIMUTH_ALLOWED_HOST: 'a.example, b.example',
      AZIMUTH_ALLOWED_ORIGIN: 'https://a.example https://b.example:81',
    };
    const own = await new ScannerFolder().start([], { env });
    const read = async (headers: Record<string, string>) =>
      (await own.client().send({ method: 'GET', path: '/api/DeviceStatus', headers })).httpStatus;
    expect(await read({ Host: 'b.example' })).toBe(200);
    expect(await read({ Host: 'c.example' })).toBe(403);
    expect(await read({ Origin: 'https://b.example:81' })).toBe(200);
    expect(await read({ Origin: 'https://b.example' })).toBe(403);
  });

  test.each([
    ['--allowed-host', 'scanner.example.com:8443', 'a host name without a port'],
    ['--allowed-host', '*', 'a host name without a port'],
    ['--allowed-origin', '*', 'an origin like https://panel.example.com'],
    ['--allowed-origin', 'null', 'an origin like https://panel.example.com'],
    ['--allowed-origin', 'panel.example.com', 'an origin like https://panel.example.com'],
  ])('%s %s is refused at the start, in one line', async (option, word, expected) => {
    const { code, log } = await new ScannerFolder().refuse([option, word]);
    expect([code, log]).toEqual([2, `azimuth: ${option}: expected ${expected}, got "${word}"\n`]);
  });
});
