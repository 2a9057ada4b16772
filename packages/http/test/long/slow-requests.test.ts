import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { Client } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import {
  drip,
  expectEnd,
  expectResponse,
  open,
  openAndSend,
  payload,
  post,
  read,
} from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { httpListener } from '../../src/listener.js';

const soon = { timeout: 5000 };
const headersBegun = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nA: ';
const bodyBegun = `${post}Content-Length: 100000\r\n\r\n{`;

async function port(timeouts: { headers?: number; request?: number; idle?: number; silent?: number }) {
  return (await TestScanner.start({ web: { timeouts } })).httpPort;
}

test('by default: 10 s for headers, 60 s for a request, 65 s between requests, 2 min without a byte', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = httpListener({});
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    timeout: 120_000,
  });
});

test('a connection without a request gets HTTP 408', soon, async () => {
  await expectEnd(await open(await port({ headers: 100 })), 408);
});

test.each([
  ['that stop', () => {}],
  ['that drip', drip],
])('headers %s get HTTP 408', soon, async (_, goOn) => {
  const connection = await openAndSend(await port({ headers: 100 }), headersBegun);
  void goOn(connection);
  await expectEnd(connection, 408);
});

test('blank lines before a request do not extend the time', soon, async () => {
  const connection = await open(await port({ headers: 100 }));
  void drip(connection, '\r\n');
  await expectEnd(connection, 408);
});

test('slow headers of a later request get HTTP 408 after the earlier responses', soon, async () => {
  const connection = await openAndSend(await port({ headers: 100 }), `${read}${read}${headersBegun}`);
  void drip(connection);
  await expectResponse(connection);
  await expectResponse(connection);
  await expectEnd(connection, 408);
});

test.each([
  ['that stops', () => {}],
  ['that drips', drip],
])('a body %s gets HTTP 408', soon, async (_, goOn) => {
  const connection = await openAndSend(await port({ headers: 100, request: 200 }), bodyBegun);
  void goOn(connection);
  await expectEnd(connection, 408);
});

test('the body of a GET does not extend the time', soon, async () => {
  const connection = await openAndSend(
    await port({ headers: 100, request: 200 }),
    'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{',
  );
  void drip(connection);
  await expectResponse(connection);
  await connection.closed;
});

test('a complete request is not cut off, even if the disk is slow', soon, async () => {
  const storage = new FaultyStorage();
  const scanner = await TestScanner.start({ storage, web: { timeouts: { headers: 500, request: 1000 } } });
  const header = await new Client(scanner.httpPort).header('WriteEeprom');
  const storing = storage.delay('parameters.json');
  const connection = await open(scanner.httpPort);
  connection.request('POST /api/WriteEeprom', [], JSON.stringify({ header }));
  await until(() => storage.begun.includes('parameters.json'));
  // Two later requests exceed their time meanwhile.
  await expectEnd(await openAndSend(scanner.httpPort, bodyBegun), 408);
  await expectEnd(await openAndSend(scanner.httpPort, bodyBegun), 408);
  storing.open();
  await expectResponse(connection);
});

test('Keep-Alive states the time, and an idle connection is closed after it', soon, async () => {
  const patient = await openAndSend(await port({}), read);
  expect((await expectResponse(patient)).headers.get('keep-alive')).toBe('timeout=65');
  const connection = await openAndSend(await port({ idle: 100 }), read);
  await expectResponse(connection);
  await connection.closed;
});

test('a client that does not read its responses is closed', soon, async () => {
  const accepted = acceptedSockets();
  const connection = await open(await port({ silent: 200 }));
  connection.socket.pause();
  connection.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  await until(() => accepted.length > 0);
  await expect.poll(() => accepted.every(({ destroyed }) => destroyed)).toBe(true);
});

test('a request that arrives in time is served, also byte by byte', soon, async () => {
  const connection = await open(await port({ headers: 2000, request: 4000 }));
  for (const byte of `${post}Content-Length: ${payload.length}\r\n\r\n${payload}`) connection.write(byte);
  await expectResponse(connection);
});
