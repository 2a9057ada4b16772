import { createServer, type Socket } from 'node:net';
import { listening } from '@azimuth/test-support/listening';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayTo, standIn } from './gateway-and-workers.js';

/** Every byte, so that no text of some encoding has the same bytes. */
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 256));

// The longest one goes to one worker only, and is not buffered.
test.each([1, 256, 16 * 1024, 16 * 1024 + 1, 100_000, 300_000])(
  'a body of %i bytes is passed on unchanged, and so is that of the answer',
  async (length) => {
    const body = bytesOf(length);
    const asked: Buffer[] = [];
    const address = await standIn(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(Buffer.from(piece));
      asked.push(Buffer.concat(pieces));
      response.writeHead(200, { 'Content-Length': length }).end(body);
    });
    const gateway = await gatewayTo([address], 1);
    gateway.owners.set('1', address);
    const response = await fetch(`${gateway.url}/scanners/1/api/X`, { method: 'POST', body });
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
    expect(asked.map((one) => one.equals(body))).toEqual([true]);
  },
);

test.each(['GET', 'HEAD'])(
  'an answer without a body comes to %s, and the connection stays',
  async (method) => {
    const address = await standIn((_, response) => response.writeHead(200, { 'Content-Length': 0 }).end());
    const gateway = await gatewayTo([address], 1);
    gateway.owners.set('1', address);
    const connection = await RawConnection.open(Number(new URL(gateway.url).port));
    onTestFinished(() => connection.destroy());
    for (const _ of [1, 2]) {
      connection.request(`${method} /scanners/1/api/X`);
      expect((await connection.response()).statusLine).toBe('HTTP/1.1 200 OK');
    }
  },
);

test('what has come of an answer is passed on before its end', async () => {
  const asked: Socket[] = [];
  const worker = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"a":');
      asked.push(socket);
    });
  });
  const address = { url: `http://127.0.0.1:${await listening(worker)}` };
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const connection = await RawConnection.open(Number(new URL(gateway.url).port));
  onTestFinished(() => connection.destroy());
  let received = '';
  connection.socket.on('data', (part) => {
    received += String(part);
  });
  connection.request('GET /scanners/1/api/X');
  await until(() => received.endsWith('\r\n\r\n{"a":'));
  asked[0]?.write('"b" }');
  await until(() => received.endsWith('{"a":"b" }'));
  expect(received).toContain('HTTP/1.1 200 OK');
});
