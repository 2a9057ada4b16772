import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { openControl } from '@azimuth/bridge/control';
import { Timeline, type TimelineEntry } from '@azimuth/bridge/timeline';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

/** A relay before something that answers each connection by `answer`, or before nothing. */
async function before(answer: ((socket: Socket, request: string) => void) | undefined) {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => answer?.(socket, bytes.toString('latin1')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  if (answer === undefined) server.close();
  else onTestFinished(() => void server.close());
  const timeline = new Timeline();
  const entries: TimelineEntry[] = [];
  timeline.follow((entry) => entries.push(entry));
  const control = await openControl({
    ...{ host: '127.0.0.1', ports: { http: 0, text: 0 }, timeline, legacy: { text: port } },
    target: { url: `http://127.0.0.1:${port}` },
    failed: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => control.close());
  return { url: `http://127.0.0.1:${control.ports.http}`, entries };
}

test.each([
  ['is away', undefined, 'ECONNREFUSED'],
  ['is no HTTP server', (socket: Socket) => void socket.end('nothing\r\n'), 'HPE_INVALID_CONSTANT'],
  ['closes at once', (socket: Socket) => void socket.end(), 'ECONNRESET'],
  [
    'has an impossible status',
    (socket: Socket) => void socket.end('HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n'),
    'it has answered with the status 999',
  ],
])('if the scanner %s, the program gets HTTP 502 with the reason', async (_, answer, reason) => {
  const { url, entries } = await before(answer);
  const response = await fetch(`${url}/api/LocationName`);
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining(reason)]);
  await expect.poll(() => entries.at(-1)?.kind).toBe('response');
});

test('a response that breaks off breaks off for the program, and the timeline says so', async () => {
  const { url, entries } = await before(
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"header"'),
  );
  const response = await fetch(`${url}/api/LocationName`);
  await expect(response.text()).rejects.toThrow();
  await expect.poll(() => entries.at(-1)).toMatchObject({ kind: 'response', status: 200, isBrokenOff: true });
});

test('frames that are no WebSocket end the connection of the program, with a finding', async () => {
  const { url, entries } = await before((socket, request) => {
    const [, key = ''] = /sec-websocket-key: (.*)\r/i.exec(request) ?? [];
    if (key === '') return;
    socket.write(handshake(key));
    setImmediate(() => socket.write(Buffer.of(0xff, 0x00, 0x01)));
  });
  const socket = new WebSocket(`${url.replace('http', 'ws')}/apievents`);
  expect((await once(socket, 'close'))[0]).toBe(1006);
  expect(entries.filter(({ kind }) => kind === 'finding')).toEqual([
    expect.objectContaining({ of: 'WebSocket 1', where: '/apievents', expected: 'frames of RFC 6455' }),
  ]);
});

test('a refused WebSocket is refused with the status and the text of the scanner', async () => {
  const { url } = await before(
    (socket) => void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone'),
  );
  const socket = new WebSocket(`${url.replace('http', 'ws')}/apievents`);
  const [, response] = await once(socket, 'unexpected-response');
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  expect([response.statusCode, Buffer.concat(pieces).toString()]).toEqual([404, 'none\n']);
});

test.each([
  ['a subprotocol twice', '/apievents', 'Sec-WebSocket-Protocol: a, a\r\n'],
  ['a fragment in its path', '/apievents#x', ''],
])('a WebSocket with %s is refused, and over on the timeline', async (_, path, headers) => {
  const { url, entries } = await before(() => expect.unreachable('the scanner is asked'));
  const program = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void program.destroy());
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  program.write(`${head}${headers}\r\n`);
  expect(String((await once(program, 'data'))[0])).toContain(' 400 ');
  expect(entries.map(({ kind }) => kind)).toEqual(['request', 'response']);
});

test('a program whose JSON is nested without end harms no other', async () => {
  const { url, entries } = await before(
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  );
  const body = `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  for (const of of [{ method: 'POST', body }, {}]) {
    const response = await fetch(`${url}/api/LocationName`, of);
    expect(await response.text()).toBe('{}');
  }
  expect(entries.find(({ kind }) => kind === 'request')).toMatchObject({ unkept: { length: body.length } });
});

test('if the scanner closes an idle connection, that of the program ends, too', async () => {
  const { url } = await before((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    setImmediate(() => socket.end());
  });
  const program = connect(Number(new URL(url).port), '127.0.0.1');
  const ended = once(program, 'close');
  program.write('GET /api/LocationName HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  expect(String((await once(program, 'data'))[0])).toContain('200 OK');
  await ended;
});

test('a message that is too long closes the WebSocket of the program that sent it', async () => {
  const { url } = await before((socket, request) => {
    const [, key = ''] = /sec-websocket-key: (.*)\r/i.exec(request) ?? [];
    if (key !== '') socket.write(handshake(key));
  });
  const program = new WebSocket(`${url.replace('http', 'ws')}/apievents`);
  await once(program, 'open');
  program.send(Buffer.alloc(4 * 1024 * 1024 + 1));
  expect((await once(program, 'close'))[0]).toBe(1009);
});

function handshake(key: string): string {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}
