import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { expect, onTestFinished, test } from 'vitest';
import { UnreadResponses } from '../../src/port/unread-responses.js';

const bytes = 20_000_000;
const some = () => Buffer.alloc(bytes, 'x');

/** A server whose requests wait for the responses of the test. */
async function served() {
  const requests: ServerResponse[] = [];
  let came: () => void = () => undefined;
  const server = createServer((_, response) => {
    requests.push(response);
    came();
  });
  const port = await listening(server);
  return async (from: string, line = 'GET /') => {
    const arrived = new Promise<void>((resolve) => {
      came = resolve;
    });
    const connection = await RawConnection.open(port, '127.0.0.1', from);
    onTestFinished(() => connection.destroy());
    connection.socket.pause();
    connection.request(line);
    await arrived;
    const response = requests.pop();
    if (response === undefined) throw new Error('no request has come');
    return { connection, response };
  };
}

test('a client that has gone while its answer was made takes no room', async () => {
  const ask = await served();
  const unread = new UnreadResponses(bytes);
  const { connection, response } = await ask('127.0.0.2');
  connection.destroy();
  if (!response.destroyed) await once(response, 'close');
  unread.send(response, 'text/plain', some());
  const next = await ask('127.0.0.2');
  unread.send(next.response, 'text/plain', some());
  expect(next.response.statusCode).toBe(200);
});

test('answers that one address does not read leave room for those of others, and for short ones', async () => {
  const ask = await served();
  const unread = new UnreadResponses(3 * bytes);
  const hogs = [await ask('127.0.0.2'), await ask('127.0.0.2'), await ask('127.0.0.2')];
  for (const { response } of hogs) unread.send(response, 'text/plain', some());
  const statusOf = async (from: string, body: Buffer, line?: string) => {
    const { response } = await ask(from, line);
    unread.send(response, 'text/plain', body);
    return response.statusCode;
  };
  expect(await statusOf('127.0.0.2', some())).toBe(503);
  expect(await statusOf('127.0.0.2', some(), 'HEAD /')).toBe(200);
  expect(await statusOf('127.0.0.2', Buffer.from('short'))).toBe(200);
  expect(hogs.filter(({ response }) => response.destroyed)).toHaveLength(0);
  expect(await statusOf('127.0.0.3', some())).toBe(200);
  expect(hogs.map(({ response }) => response.destroyed)).toEqual([true, false, false]);
});

test('clients who read the same answer take room once, until the last of them has gone', async () => {
  const ask = await served();
  const unread = new UnreadResponses(bytes);
  const body = some();
  const readers = [await ask('127.0.0.2'), await ask('127.0.0.3')];
  for (const { response } of readers) unread.send(response, 'text/plain', body);
  expect(readers.map(({ response }) => response.statusCode)).toEqual([200, 200]);
  const other = async () => {
    const { response } = await ask('127.0.0.2');
    unread.send(response, 'text/plain', some());
    return response.statusCode;
  };
  for (const [index, status] of [503, 200].entries()) {
    const reader = readers[index];
    reader?.connection.destroy();
    if (reader !== undefined && !reader.response.destroyed) await once(reader.response, 'close');
    expect(await other()).toBe(status);
  }
});
