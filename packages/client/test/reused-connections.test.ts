import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { listening } from '@azimuth/test-support/listening';
import { expect, test } from 'vitest';
import { Scanner } from '../src/index.js';

const answer = '{"header":{"status":0,"message":"Ok"},"data":{"SerialNumber":"1"}}';

/** Answers the first request of the first connection; its second one is reset, as by a scanner that goes down. */
async function forgetful() {
  const requests: string[] = [];
  const server = createTcpServer((socket: Socket) => {
    let inThis = 0;
    const isFirst = requests.length === 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      requests.push(String(data).split(' HTTP')[0] ?? '');
      inThis += 1;
      if (isFirst && inThis === 2) socket.resetAndDestroy();
      else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
  });
  const port = await listening(server);
  return { requests, scanner: new Scanner({ url: `http://127.0.0.1:${port}`, password: 'servicelevel' }) };
}

test('a value is read over a new connection if the reused one was closed by the scanner', async () => {
  const { requests, scanner } = await forgetful();
  await scanner.read('SerialNumber');
  expect(await scanner.read('SerialNumber')).toBe('1');
  expect(requests).toEqual(Array(3).fill('GET /api/SerialNumber'));
});

test('what may change something is not sent again', async () => {
  const { requests, scanner } = await forgetful();
  await scanner.read('SerialNumber');
  await expect(scanner.write('LocationName', 'Hall')).rejects.toThrow('ECONNRESET');
  expect(requests).toHaveLength(2);
});

test('a scanner that resets each connection cannot be reached', async () => {
  const server = createServer((request) => request.socket.resetAndDestroy());
  const port = await listening(server);
  const requested: unknown[] = [];
  server.on('request', () => requested.push(1));
  const scanner = new Scanner({ url: `http://127.0.0.1:${port}` });
  await expect(scanner.read('SerialNumber')).rejects.toThrow('ECONNRESET');
  expect(requested).toHaveLength(1);
});

test('what was given up because it took too long is not sent again', async () => {
  const requested: unknown[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url);
    if (requested.length === 1) response.end(answer);
  });
  const port = await listening(server);
  const scanner = new Scanner({ url: `http://127.0.0.1:${port}`, timeoutMs: 200 });
  await scanner.read('SerialNumber');
  await expect(scanner.read('SerialNumber')).rejects.toThrow('no answer within 0.2 s');
  await expect(scanner.read('SerialNumber')).rejects.toThrow('no answer within 0.2 s');
  expect(requested).toHaveLength(3);
});
