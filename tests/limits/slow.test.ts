import { once } from 'node:events';
import { expect, test } from 'vitest';
import { httpListener } from '../../packages/server/src/http/web-listener.js';
import { acceptedSockets } from '../support/accepted-sockets.js';
import { Client } from '../support/client.js';
import { FaultyStorage } from '../support/faulty-storage.js';
import {
  drip,
  expectAnswer,
  expectEnd,
  open,
  openAndSend,
  payload,
  post,
  read,
} from '../support/raw-connection.js';
import { ProcessBench } from '../support/scanner-process.js';
import { Bench } from '../support/service-test-bench.js';
import { until } from '../support/waiting.js';

const soon = { timeout: 5000 };
const headersBegun = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nA: ';
const bodyBegun = `${post}Content-Length: 100000\r\n\r\n{`;

async function port(timeouts: { headers?: number; request?: number; idle?: number; silent?: number }) {
  return (await Bench.start({ web: { timeouts } })).httpPort;
}

test('without other wishes: 10 s for headers, 60 s for a request, 65 s between two, 2 min of silence', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = httpListener();
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    timeout: 120_000,
  });
});

test('a connection on which nothing is asked is HTTP 408', soon, async () => {
  await expectEnd(await open(await port({ headers: 100 })), 408);
});

test.each([
  ['that stop', () => {}],
  ['that drip', drip],
])('headers %s are HTTP 408', soon, async (_, goOn) => {
  const connection = await openAndSend(await port({ headers: 100 }), headersBegun);
  void goOn(connection);
  await expectEnd(connection, 408);
});

test('blank lines before a request win no time', soon, async () => {
  const connection = await open(await port({ headers: 100 }));
  void drip(connection, '\r\n');
  await expectEnd(connection, 408);
});

test('headers that drip on a kept connection are HTTP 408 behind the answers', soon, async () => {
  const connection = await openAndSend(await port({ headers: 100 }), `${read}${read}${headersBegun}`);
  void drip(connection);
  await expectAnswer(connection);
  await expectAnswer(connection);
  await expectEnd(connection, 408);
});

test.each([
  ['that stops', () => {}],
  ['that drips', drip],
])('a body %s is HTTP 408', soon, async (_, goOn) => {
  const connection = await openAndSend(await port({ headers: 100, request: 200 }), bodyBegun);
  void goOn(connection);
  await expectEnd(connection, 408);
});

test('a body that nobody reads wins no time either', soon, async () => {
  const connection = await openAndSend(
    await port({ headers: 100, request: 200 }),
    'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{',
  );
  void drip(connection);
  await expectAnswer(connection);
  await connection.closed;
});

test('a request that has come is not cut off, however long the disk takes', soon, async () => {
  const storage = new FaultyStorage();
  const bench = await Bench.start({ storage, web: { timeouts: { headers: 500, request: 1000 } } });
  const header = await new Client(bench.httpPort).header('WriteEeprom');
  const storing = storage.delay('parameters.json');
  const connection = await open(bench.httpPort);
  connection.request('POST /api/WriteEeprom', [], JSON.stringify({ header }));
  await until(() => storage.begun.includes('parameters.json'));
  // Two that come later are overdue in the meantime.
  await expectEnd(await openAndSend(bench.httpPort, bodyBegun), 408);
  await expectEnd(await openAndSend(bench.httpPort, bodyBegun), 408);
  storing.open();
  await expectAnswer(connection);
});

test('a kept connection is told for how long, and closed when it was idle', soon, async () => {
  const patient = await openAndSend(await port({}), read);
  expect((await expectAnswer(patient)).headers.get('keep-alive')).toBe('timeout=65');
  const connection = await openAndSend(await port({ idle: 100 }), read);
  await expectAnswer(connection);
  await connection.closed;
});

test('a client that does not read its answers is cut off', soon, async () => {
  const accepted = acceptedSockets();
  const connection = await open(await port({ silent: 200 }));
  connection.socket.pause();
  connection.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  await until(() => accepted.length > 0);
  for (const socket of accepted) if (!socket.destroyed) await once(socket, 'close');
});

test('who sends in time is served, also byte by byte', soon, async () => {
  const connection = await open(await port({ headers: 2000, request: 4000 }));
  for (const byte of `${post}Content-Length: ${payload.length}\r\n\r\n${payload}`) connection.write(byte);
  await expectAnswer(connection);
});

test('a client that requests thousands of replies and reads none is cut off, and others are served meanwhile', async () => {
  const scanner = await new ProcessBench().start();
  const client = scanner.client();
  const connectionsOpen = async () => {
    const { text } = await client.send({ method: 'GET', path: '/metrics' });
    return Number(/^azimuth_connections (\d+)$/m.exec(text)?.[1]);
  };
  const connections = await Promise.all(Array.from({ length: 40 }, () => open(Number(scanner.httpPort))));
  for (const { socket } of connections) {
    socket.pause();
    socket.write(read.repeat(25_000));
  }
  await until(async () => {
    expect(await client.value('LocationName')).toBe('not defined');
    return (await connectionsOpen()) === 1;
  });
});
