import { temporaryFolder } from '@azimuth/test-support/files';
import {
  contentTypes,
  expectHarmless,
  foreignRequests,
  hostileScanner,
} from '@azimuth/test-support/hostile-scanner';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { expect, onTestFinished, test } from 'vitest';
import { guiOf } from './gui-of.js';

/** Serves the pages for this scanner. */
async function served(url: string) {
  const server = guiOf(temporaryFolder(), url);
  const port = Number(new URL(await server.open()).port);
  onTestFinished(() => server.close());
  const ask = async (line: string, headers: readonly string[] = []) => {
    const connection = await RawConnection.open(port);
    const head = [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers];
    connection.write(`${head.join('\r\n')}\r\n\r\n`);
    return connection;
  };
  return {
    ask,
    answer: async (line: string, headers?: readonly string[]) => (await ask(line, headers)).response(),
  };
}

test.each(contentTypes)(
  'what a scanner answers at %s is %s, whatever it says',
  async (path, type, isFile) => {
    const { answer } = await served((await hostileScanner()).url);
    const answered = await answer(`GET /s/0${path}`);
    expect(answered.statusLine).toContain('200');
    expectHarmless(answered, type, isFile);
  },
);

test.each([301, 302, 307])(
  'a redirect of a scanner (%i) is not followed and not passed on',
  async (status) => {
    const scanner = await hostileScanner();
    scanner.status = status;
    const { statusLine, headers } = await (await served(scanner.url)).answer('GET /s/0/api/DeviceStatus');
    expect([statusLine, headers.get('location')]).toEqual(['HTTP/1.1 502 Bad Gateway', undefined]);
  },
);

test('a refusal is text, or JSON where the scanner says so', async () => {
  const scanner = await hostileScanner();
  const { answer } = await served(scanner.url);
  scanner.status = 401;
  expect((await answer('GET /s/0/api/X')).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  scanner.type = 'application/json; charset=utf-7';
  expect((await answer('GET /s/0/api/X')).headers.get('content-type')).toBe('application/json');
});

test.each(foreignRequests)('%s gets nothing from a scanner', async (_, headers) => {
  const scanner = await hostileScanner();
  const { answer } = await served(scanner.url);
  for (const path of ['api/DeviceStatus', 'x/sw.js', 'metrics', 'data', 'address'])
    expect((await answer(`GET /s/0/${path}`, headers)).statusLine).toContain('403');
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  expect((await answer('GET /s/0/apievents', [...upgrade, ...headers])).statusLine).toContain('403');
  expect(scanner.requests).toEqual([]);
});

test('what the scripts of own pages ask for is forwarded', async () => {
  const { answer } = await served((await hostileScanner()).url);
  const headers = ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'];
  expect((await answer('GET /s/0/api/DeviceStatus', headers)).statusLine).toContain('200');
});

test('a WebSocket brings no header of the scanner but its own', async () => {
  const scanner = await hostileScanner();
  const { ask } = await served(scanner.url);
  const key = 'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==';
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', key];
  const connection = await ask('GET /s/0/apievents', [
    ...upgrade,
    'Cookie: a=b',
    'Sec-WebSocket-Extensions: c',
  ]);
  let head = '';
  connection.socket.on('data', (part) => {
    head += String(part);
  });
  await connection.closed;
  expect(head.split('\r\n')).toEqual([
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Accept: x',
    '',
    '',
  ]);
  expect(scanner.requests[0]).toMatchObject({ 'sec-websocket-extensions': 'c', upgrade: 'websocket' });
  expect(scanner.requests[0]).not.toHaveProperty('cookie');
});

test('a scanner gets the headers that it needs, and learns whether the client is elsewhere', async () => {
  const scanner = await hostileScanner();
  const { answer } = await served(scanner.url);
  const secret = ['Cookie: a=b', 'Referer: http://127.0.0.1/x', 'X-Mine: 1', 'Accept-Encoding: gzip'];
  await answer('GET /s/0/api/DeviceStatus', [...secret, 'X-Session-Token: t', 'Content-Type: text/plain']);
  await answer('GET /s/0/api/DeviceStatus', ['X-Forwarded-For: 192.0.2.1']);
  const [first = {}, second = {}] = scanner.requests;
  expect(Object.keys(first).sort()).toEqual([
    'accept-encoding',
    'connection',
    'content-type',
    'host',
    'x-session-token',
  ]);
  expect(first['accept-encoding']).toBe('identity');
  expect(second['x-forwarded-for']).toBe('127.0.0.1');
});

test('a WebSocket that is asked for behind another request does not overtake its answer', async () => {
  const { ask } = await served((await hostileScanner()).url);
  const connection = await ask('GET /s/0/api/DeviceStatus');
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  connection.write(
    `${['GET /s/0/apievents HTTP/1.1', `Host: 127.0.0.1:${connection.socket.remotePort}`, ...upgrade].join('\r\n')}\r\n\r\n`,
  );
  const [first, second] = [await connection.response(), await connection.response()];
  expect([first.statusLine, first.body]).toEqual(['HTTP/1.1 200 OK', second.body]);
  expect(second.headers.get('connection')).toBe('close');
});

test('a connection that is used for many requests keeps nothing of them', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const { ask } = await served((await hostileScanner()).url);
  const connection = await ask('GET /s/0/api/DeviceStatus');
  for (let count = 0; count < 20; count++) {
    await connection.response();
    connection.write(
      `GET /s/0/api/DeviceStatus HTTP/1.1\r\nHost: 127.0.0.1:${connection.socket.remotePort}\r\n\r\n`,
    );
  }
  await connection.response();
  expect(warnings).toEqual([]);
});

test('a request with two hosts is refused before a scanner sees it', async () => {
  const scanner = await hostileScanner();
  const { answer } = await served(scanner.url);
  expect((await answer('GET /s/0/api/DeviceStatus', ['Host: evil.example'])).statusLine).toContain(' 400 ');
  expect(scanner.requests).toEqual([]);
});
