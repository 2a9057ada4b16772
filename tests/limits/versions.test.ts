import {
  expectEnd,
  expectResponse,
  httpStatusOf,
  openAndSend,
  payload,
  read,
} from '@azimuth/test-support/raw-connection';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const scanner = sharedScanner();
const port = () => scanner().client().port;

test('HTTP/1.0 is answered and the connection is closed, with or without a Host', async () => {
  for (const host of ['', 'Host: x\r\n']) {
    const connection = await openAndSend(port(), `GET /api/DeviceStatus HTTP/1.0\r\n${host}\r\n`);
    expect((await expectResponse(connection)).headers.get('connection')).toBe('close');
    await connection.closed;
  }
});

test('an HTTP/1.0 connection with keep-alive stays open', async () => {
  const kept = 'GET /api/DeviceStatus HTTP/1.0\r\nConnection: keep-alive\r\n\r\n';
  const connection = await openAndSend(port(), kept);
  expect((await expectResponse(connection)).headers.get('connection')).toBe('keep-alive');
  connection.write(kept);
  await expectResponse(connection);
});

test('HTTP/1.0 may send a body with Content-Length, but not in chunks', async () => {
  const begun = 'POST /api/getChallenge HTTP/1.0\r\n';
  await expectResponse(
    await openAndSend(port(), `${begun}Content-Length: ${payload.length}\r\n\r\n${payload}`),
  );
  const chunks = `1b\r\n${payload}\r\n0\r\n\r\n`;
  await expectEnd(await openAndSend(port(), `${begun}Transfer-Encoding: chunked\r\n\r\n${chunks}`), 400);
});

test.each([
  ['HTTP/0.9', 'GET /api/DeviceStatus\r\n\r\n', 505],
  ['HTTP/2.0', 'GET /api/DeviceStatus HTTP/2.0\r\nHost: x\r\n\r\n', 505],
  ['HTTP/1.2', 'GET /api/DeviceStatus HTTP/1.2\r\nHost: x\r\n\r\n', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', '\u0016\u0003\u0001\u0000\u00a5\u0001', 400],
])('%s is refused in JSON', async (_, text, status) => {
  await expectEnd(await openAndSend(port(), text), status);
});

test('HTTP/1.1 needs exactly one Host, and an empty one is refused', async () => {
  const withHosts = (...hosts: readonly string[]) =>
    `GET /api/DeviceStatus HTTP/1.1\r\n${hosts.map((host) => `${host}\r\n`).join('')}\r\n`;
  await expectEnd(await openAndSend(port(), withHosts()), 400);
  await expectEnd(await openAndSend(port(), withHosts('Host: x', 'A: b', 'hOST: x')), 400);
  expect(httpStatusOf(await (await openAndSend(port(), withHosts('Host:'))).response())).toBe(403);
  await expectResponse(await openAndSend(port(), withHosts('HOST: x', 'Hose: y')));
});

test('after a refusal, no further request of the connection is answered', async () => {
  const connection = await openAndSend(port(), `GET /api/DeviceStatus HTTP/1.1\r\n\r\n${read}`);
  await expectEnd(connection, 400);
  await expect(connection.response()).rejects.toThrow('closed before a whole response');
});
