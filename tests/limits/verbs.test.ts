import type { Client } from '@azimuth/test-support/client';
import { expectStatus } from '@azimuth/test-support/envelope';
import { expectEnd, expectResponse, openAndSend, read } from '@azimuth/test-support/raw-connection';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, onTestFinished, test } from 'vitest';

const scanner = sharedScanner();

function keepingAlive(): Client {
  const client = scanner().client({ keepAlive: true });
  onTestFinished(() => client.close());
  return client;
}

function without(headers: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

test.each(['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'SEARCH', 'M-SEARCH'])(
  '%s is a verb that no variable has: status 5, with a body or without, and the connection is kept',
  async (method) => {
    const client = keepingAlive();
    const body = 'x'.repeat(100_000);
    const path = '/api/DeviceStatus';
    expectStatus(await client.send({ method, path }), 5);
    // The client of node would not state the length with every verb.
    const headers = { 'Content-Length': body.length };
    if (method !== 'TRACE') expectStatus(await client.send({ method, path, headers, body }), 5);
    expectStatus(await client.get('DeviceStatus'), 0);
  },
);

test('HEAD of a variable has the headers of status 5, and no body', async () => {
  const client = keepingAlive();
  const head = await client.send({ method: 'HEAD', path: '/api/DeviceStatus' });
  expect([head.httpStatus, head.text]).toEqual([200, '']);
  expect(head.headers['content-length']).toBe('45');
  expect(head.headers['content-type']).toBe('application/json');
  expect(head.headers['azimuth-detail']).toContain('not HEAD');
  expectStatus(await client.get('DeviceStatus'), 0);
});

test.each(['/healthz', '/openapi.json', '/docs', '/docs/page.js', '/x/stored'])(
  'HEAD %s has the headers of GET, and no body',
  async (path) => {
    const client = keepingAlive();
    const get = await client.send({ method: 'GET', path });
    const head = await client.send({ method: 'HEAD', path });
    expect([head.httpStatus, head.text]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(get.text));
    expect(without(head.headers, 'date')).toEqual(without(get.headers, 'date'));
  },
);

test('HEAD of an unknown page is HTTP 404 without a body', async () => {
  const { httpStatus, text } = await keepingAlive().send({ method: 'HEAD', path: '/nothing' });
  expect([httpStatus, text]).toEqual([404, '']);
});

test.each([
  ['/healthz', 204, 'GET, HEAD, OPTIONS'],
  ['/docs', 204, 'GET, HEAD, OPTIONS'],
  ['*', 204, 'GET, HEAD, POST, OPTIONS'],
  ['/nothing', 404, undefined],
])('OPTIONS %s is HTTP %d', async (path, status, allow) => {
  const client = keepingAlive();
  const { httpStatus, headers } = await client.send({ method: 'OPTIONS', path });
  expect([httpStatus, headers.allow]).toEqual([status, allow]);
  expectStatus(await client.get('DeviceStatus'), 0);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])(
  '%s of a page is HTTP 405 with the verbs that it has',
  async (method) => {
    const { httpStatus, headers } = await keepingAlive().send({ method, path: '/healthz' });
    expect([httpStatus, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  },
);

test('CONNECT gets HTTP 400 after the earlier responses, and the connection is closed', async () => {
  const connection = await openAndSend(
    scanner().client().port,
    `${read}CONNECT scanner:443 HTTP/1.1\r\nHost: scanner:443\r\n\r\nwhatever`,
  );
  await expectResponse(connection);
  const { headers } = await expectEnd(connection, 400);
  expect(headers.get('azimuth-detail')).toContain('not a proxy');
  expectStatus(await scanner().client().get('DeviceStatus'), 0);
});

test('a client that disconnects right after CONNECT has no effect on others', async () => {
  for (let time = 0; time < 20; time++) {
    const connection = await openAndSend(scanner().client().port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    connection.socket.resetAndDestroy();
    await connection.closed;
  }
  expectStatus(await scanner().client().get('DeviceStatus'), 0);
});

test.each([
  ['WebSocket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
  ['HTTP/2', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'],
])(
  'a request to upgrade to %s is ignored, and the answer is the last on its connection',
  async (_, lines) => {
    const request = `GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;
    const connection = await openAndSend(scanner().client().port, `${request}${read}`);
    const { headers } = await expectResponse(connection);
    expect(headers.get('connection')).toBe('close');
    await connection.closed;
  },
);

test('an unknown verb is HTTP 400', async () => {
  for (const verb of ['FETCH', 'get', 'Post']) {
    await expectEnd(
      await openAndSend(scanner().client().port, `${verb} /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n\r\n`),
      400,
    );
  }
});
