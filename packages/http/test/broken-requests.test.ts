import { createServer as createHttpServer, request as send } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { Client } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { listening } from '@azimuth/test-support/listening';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Bodies, BodyBrokenOff } from '../src/bodies.js';
import { BrokenRequests } from '../src/broken-requests.js';
import { Connections } from '../src/connections.js';

const status1 = '{"header":{"status":1,"message":"Parsing Failed"}}';
const read = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n\r\n';
const post = 'POST /api/LocationName HTTP/1.1\r\nHost: x\r\n';
const garbage = 'sRN DeviceIdent\r\n\r\n';

let storage: FaultyStorage;
let scanner: TestScanner;

beforeEach(async () => {
  storage = new FaultyStorage();
  scanner = await TestScanner.start({ storage });
});

async function open(port = scanner.httpPort): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  return connection;
}

/** Checks that the next response is a refusal by JSON with this HTTP status, and the last on its connection. */
async function expectRefusal(connection: RawConnection, status: number): Promise<void> {
  const { statusLine, headers, body } = await connection.response();
  expect(statusLine).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  expect(body).toBe(status1);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('connection')).toBe('close');
  expect(headers.get('azimuth-detail')).toMatch(/\w/);
  await connection.closed;
}

test.each([
  ['what is no HTTP', garbage, 400],
  ['a telegram', '\u0002sRN DeviceIdent\u0003\r\n\r\n', 400],
  ['a header that is none', 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n', 400],
  ['HTTP/1.1 without a Host', 'GET /api/DeviceStatus HTTP/1.1\r\n\r\n', 400],
  ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
  ['a body in broken chunks', `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nx\r\n`, 400],
  ['headers of 20 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_480)}\r\n\r\n`, 431],
  ['headers of 2 MiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(2_097_152)}\r\n\r\n`, 431],
  [
    'a chunk with extensions of 20 KiB',
    `${post}Transfer-Encoding: chunked\r\n\r\n2;a=${'x'.repeat(20_480)}\r\n{}\r\n`,
    413,
  ],
])('%s is refused in JSON', async (_, text, status) => {
  const connection = await open();
  connection.write(text);
  await expectRefusal(connection, status);
  expect(await scanner.client().value('DeviceStatus')).toBe(3);
});

test('a broken request after answered requests is refused after their answers', async () => {
  const connection = await open();
  const storing = storage.delay('parameters.json');
  const header = await new Client(scanner.httpPort).header('WriteEeprom');
  const body = JSON.stringify({ header });
  const store = `POST /api/WriteEeprom HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  connection.write(`${read}${read}${store}${read}${garbage}`);
  await until(() => storage.begun.includes('parameters.json'));
  storing.open();
  for (let count = 0; count < 4; count++) expect((await connection.response()).body).toContain('"status":0');
  await expectRefusal(connection, 400);
});

test('a waiting request with a broken body is refused once, and nothing is logged', async () => {
  const connection = await open();
  const storing = storage.delay('parameters.json');
  const header = await new Client(scanner.httpPort).header('WriteEeprom');
  connection.request('POST /api/WriteEeprom', [], JSON.stringify({ header }));
  connection.write('GET /nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n');
  await until(() => storage.begun.includes('parameters.json'));
  await scanner.client().value('DeviceStatus');
  storing.open();
  expect((await connection.response()).body).toContain('"status":0');
  await expectRefusal(connection, 400);
  expect(scanner.log.errors).toEqual([]);
});

test('a broken request on a kept-alive connection is refused', async () => {
  const connection = await open();
  connection.write(read);
  await connection.response();
  connection.write(garbage);
  await expectRefusal(connection, 400);
});

test('a request that closes its connection is the last one that is answered, whatever follows', async () => {
  const connection = await open();
  connection.request('GET /api/DeviceStatus', ['Connection: close']);
  connection.write('{"data":1}');
  expect((await connection.response()).body).toContain('"status":0');
  await connection.closed;
  await expect(connection.response()).rejects.toThrow('closed before a whole response');
});

test('a broken body of a request that is already answered closes the connection', async () => {
  const connection = await open();
  connection.write(`${read.trim()}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  expect((await connection.response()).body).toContain('"status":0');
  connection.write('x\r\n');
  await connection.closed;
  await expect(connection.response()).rejects.toThrow('closed before a whole response');
});

test('a client that closes its sending side in the middle of a body is refused', async () => {
  const connection = await open();
  connection.write(`${post}Content-Length: 100\r\n\r\n{"data"`);
  connection.socket.end();
  await expectRefusal(connection, 400);
});

test('a refused client that does not close is disconnected', async () => {
  const connection = await open();
  connection.socket.allowHalfOpen = true;
  connection.write(garbage);
  await connection.response();
  await expect
    .poll(() => {
      connection.write('x');
      return connection.isClosed;
    })
    .toBe(true);
});

test('an expectation other than 100-continue is HTTP 417, and the connection stays open', async () => {
  const connection = await open();
  connection.request('POST /api/getChallenge', ['Expect: a miracle'], '{"data":{"user":"Service"}}');
  const { statusLine, body } = await connection.response();
  expect(statusLine).toBe('HTTP/1.1 417 Expectation Failed');
  expect(body).toBe(status1);
  connection.write(read);
  expect((await connection.response()).body).toContain('"status":0');
});

test('a client that sends Expect: 100-continue gets 100 Continue', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { Expect: '100-continue', 'Content-Length': 27 };
    const path = '/api/getChallenge';
    const outgoing = send({ host: '127.0.0.1', port: scanner.httpPort, method: 'POST', path, headers });
    outgoing.on('error', reject);
    outgoing.on('continue', () => outgoing.end('{"data":{"user":"Service"}}'));
    outgoing.on('response', (incoming) => {
      incoming.setEncoding('utf8').once('data', resolve);
    });
    outgoing.flushHeaders();
  });
  expect(text).toContain('"challenge"');
});

/** The scanner's end of a connection without HTTP. */
async function accepted(): Promise<{ socket: Socket; connection: RawConnection }> {
  const server = createServer();
  const port = await listening(server);
  const accepting = new Promise<Socket>((resolve) => {
    server.once('connection', resolve);
  });
  const connection = await open(port);
  return { socket: await accepting, connection };
}

const connections = () => new Connections(1, () => undefined);

test('a request that does not arrive in time is HTTP 408', async () => {
  const { socket, connection } = await accepted();
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  new BrokenRequests(connections()).refuse(late, socket);
  socket.resume();
  await expectRefusal(connection, 408);
});

test('a refused connection is not closed at once, and not refused twice', async () => {
  const broken = new BrokenRequests(connections());
  const { socket, connection } = await accepted();
  for (let time = 0; time < 3; time++) broken.refuse(new Error('broken'), socket);
  expect(socket.destroyed).toBe(false);
  socket.resume();
  await expectRefusal(connection, 400);
  await expect(connection.response()).rejects.toThrow('closed before a whole response');
});

test('the reader of a body is notified if it is broken', async () => {
  const known = connections();
  const broken = new BrokenRequests(known);
  const bodies = new Bodies(1000, 10_000);
  const server = createHttpServer();
  server.on('clientError', (error, socket) => broken.refuse(error, socket));
  const result = new Promise((resolve) => {
    server.on('request', (request, response) => {
      known.of(request.socket).latest = response;
      bodies.read(request).then(resolve, resolve);
    });
  });
  const connection = await open(await listening(server));
  connection.write(`${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`);
  await until(() => bodies.held > 0);
  connection.write('x\r\n');
  await expectRefusal(connection, 400);
  expect(await result).toBeInstanceOf(BodyBrokenOff);
  expect(bodies.held).toBe(0);
});

test('a connection that cannot be written to is only closed', async () => {
  const broken = new BrokenRequests(connections());
  const { socket } = await accepted();
  socket.end();
  broken.refuse(new Error('broken'), socket);
  expect(socket.destroyed).toBe(true);
  broken.refuse(new Error('broken'), socket);
});
