import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import {
  contentTypes,
  expectHarmless,
  foreignRequests,
  hostileHeaders,
  hostileScanner,
} from '@azimuth/test-support/hostile-scanner';
import { listening } from '@azimuth/test-support/listening';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gatewayTo, type SomeGateway, standIn } from './gateway-and-workers.js';

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];

async function opened({ url }: SomeGateway): Promise<RawConnection> {
  const connection = await RawConnection.open(Number(new URL(url).port));
  onTestFinished(() => connection.destroy());
  return connection;
}

async function answer(gateway: SomeGateway, line: string, headers: readonly string[] = []) {
  const connection = await opened(gateway);
  connection.request(line, headers);
  return connection.response();
}

/** A folder with the files of a GUI. */
function builtGui(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>Own pages</title>');
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  return folder;
}

/** A gateway whose only worker responds to everything with a harmful page. */
async function hostile() {
  const scanner = await hostileScanner();
  const gateway = await gatewayTo([scanner], 1, { gui: builtGui() });
  gateway.owners.set('1', scanner);
  return { scanner, gateway };
}

describe('what a worker says of its answers does not reach browsers', () => {
  test.each(contentTypes)('at %s: it is %s', async (path, type, isFile) => {
    const { gateway } = await hostile();
    const answered = await answer(gateway, `GET /scanners/1${path}`);
    expect(answered.statusLine).toContain('200');
    expectHarmless(answered, type, isFile);
  });

  test('a redirect is no answer', async () => {
    const { gateway, scanner } = await hostile();
    scanner.status = 302;
    const { statusLine, headers } = await answer(gateway, 'GET /scanners/1/api/DeviceStatus');
    expect([statusLine, headers.get('location')]).toEqual(['HTTP/1.1 502 Bad Gateway', undefined]);
  });

  test('a WebSocket that is refused, or taken', async () => {
    const { gateway } = await hostile();
    const connection = await opened(gateway);
    let head = '';
    connection.socket.on('data', (part) => {
      head += String(part);
    });
    connection.request('GET /scanners/1/apievents', upgrade);
    await connection.closed;
    expect(head).toMatch(
      /^HTTP\/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n$/,
    );
    const refusing = await standIn((_, response) => {
      response.writeHead(403, { ...hostileHeaders, 'Content-Type': 'text/html', 'Content-Length': 3 });
      response.end('<p>');
    });
    gateway.owners.set('1', refusing);
    const refused = await answer(gateway, 'GET /scanners/1/apievents', upgrade);
    expect(refused.statusLine).toBe('HTTP/1.1 403 Forbidden');
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(refused.headers.get('set-cookie')).toBeUndefined();
  });

  test('pages are those of the gateway', async () => {
    const { gateway, scanner } = await hostile();
    const own = async (path: string) => {
      const response = await fetch(`${gateway.url}/scanners/1${path}`, { redirect: 'manual' });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    expect(await own('/')).toEqual([200, 'text/html; charset=utf-8', '<title>Own pages</title>']);
    expect(await own('/icon.svg')).toEqual([200, 'image/svg+xml', '<svg/>']);
    expect((await own('/assets/missing.js')).slice(0, 2)).toEqual([404, 'text/plain; charset=utf-8']);
    expect((await own('/docs')).slice(0, 2)).toEqual([200, 'text/html; charset=utf-8']);
    expect((await own('/docs/page.js')).slice(0, 2)).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await own('/docs/interface.json')).slice(0, 2)).toEqual([200, 'application/json']);
    expect((await own('?x'))[0]).toBe(301);
    expect(await own('/data')).toEqual([200, 'application/json', '{"state":"live"}\n']);
    // Only the description comes from the scanner.
    expect(scanner.requests).toHaveLength(1);
  });

  test.each(foreignRequests)('%s gets nothing from it', async (_, headers) => {
    const { gateway, scanner } = await hostile();
    for (const path of ['api/DeviceStatus', 'x/sw.js', 'metrics', 'openapi.json', 'asyncapi.json', 'data'])
      expect((await answer(gateway, `GET /scanners/1/${path}`, headers)).statusLine).toContain('403');
    const joined = await answer(gateway, 'GET /scanners/1/apievents', [...upgrade, ...headers]);
    expect(joined.statusLine).toContain('403');
    expect(scanner.requests).toEqual([]);
  });

  test('a link to a page is followed', async () => {
    const { gateway } = await hostile();
    const link = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
    expect((await answer(gateway, 'GET /scanners/1/', link)).statusLine).toContain('200');
    expect((await answer(gateway, 'GET /scanners/1/', ['Service-Worker: script'])).statusLine).toContain(
      '403',
    );
  });
});

/** A worker that responds with these bytes as soon as the head of a request has come. */
async function rawWorker(answers: string): Promise<{ readonly url: string; readonly count: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      count++;
      socket.write(answers);
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, count: () => count };
}

describe('an answer that no scanner gives is HTTP 502 for its client alone', () => {
  test.each([
    ['a status below all', 'HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n'],
    ['a status above all', 'HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['no HTTP', 'nothing\r\n\r\n'],
  ])('%s', async (_, answers) => {
    const worker = await rawWorker(answers);
    const gateway = await gatewayTo([worker], 1, { patience: 100 });
    gateway.owners.set('1', worker);
    const post = await answer(gateway, 'POST /scanners/1/api/WriteEeprom');
    expect(post.statusLine).toContain('502');
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });

  test.each([
    'HTTP/1.1 200 \u0001\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 \u00fc\r\nContent-Length: 0\r\n\r\n',
  ])('a reason of characters that none has is left out', async (answers) => {
    const worker = await rawWorker(answers);
    const gateway = await gatewayTo([worker], 1, { patience: 100 });
    gateway.owners.set('1', worker);
    expect((await answer(gateway, 'GET /scanners/1/api/X')).statusLine).toMatch(/ (?:200 OK|50\d .*)$/);
  });
});

test('an answer that comes when the request was found to be faulty, and refused, is dropped', async () => {
  const waiting: ServerResponse[] = [];
  const worker = await standIn((request, response) => {
    request.resume().on('error', () => undefined);
    waiting.push(response);
  });
  const gateway = await gatewayTo([worker], 1);
  gateway.owners.set('1', worker);
  const client = await opened(gateway);
  client.request('POST /scanners/1/api/LocationName', ['Transfer-Encoding: chunked']);
  client.write('5\r\nabcde\r\n');
  await until(() => waiting.length === 1);
  // This is no chunk: it is refused, and the worker responds at the same moment.
  client.write('no chunk\r\n');
  waiting[0]?.end('{}');
  expect((await client.response()).statusLine).toContain('400');
  await client.closed;
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});
