import { expectEnd, expectResponse, openAndSend, post, read } from '@azimuth/test-support/raw-connection';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const scanner = sharedScanner();
const port = () => scanner().client().port;
const mebibyte = 1024 * 1024;

/** A request with this many header lines, including Host. */
function withHeaders(count: number): string {
  const lines = Array.from({ length: count - 1 }, (_, index) => `h${index}: \r\n`);
  return `GET /api/DeviceStatus HTTP/1.1\r\n${lines.join('')}Host: x\r\n\r\n`;
}

test('a body above 1 MiB is status 1, and the connection stays open', async () => {
  const fields = (size: number) =>
    `POST /x/fields HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${'{}'.padEnd(size, ' ')}`;
  // Status 4 because of the missing login: the body was read.
  const connection = await openAndSend(port(), fields(mebibyte));
  await expectResponse(connection, 4);
  connection.write(fields(mebibyte + 1));
  const { headers } = await expectResponse(connection, 1);
  expect(headers.get('azimuth-detail')).toContain('1048576 bytes');
  connection.write(read);
  await expectResponse(connection);
});

test('headers of 15 KiB are read; of more than 16 KiB they are HTTP 431', async () => {
  const head = (size: number) =>
    `GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(size)}\r\n\r\n`;
  await expectResponse(await openAndSend(port(), head(15 * 1024)));
  await expectEnd(await openAndSend(port(), head(17 * 1024)), 431);
});

test('a path of 15 KiB is an unknown name; of more than 16 KiB it is HTTP 431', async () => {
  const line = (size: number) => `GET /api/${'a'.repeat(size)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  await expectResponse(await openAndSend(port(), line(15 * 1024)), 5);
  await expectEnd(await openAndSend(port(), line(17 * 1024)), 431);
});

test('200 headers are read, including the last; 201 and more are HTTP 431, and none is ignored', async () => {
  await expectResponse(await openAndSend(port(), withHeaders(200)));
  for (const [count, detail] of [
    [201, /200 headers/],
    [300, /200 headers/],
    // Node 24 counts the bytes between them, too.
    [2500, /200 headers|headers are too large/],
  ] as const) {
    const { headers } = await expectEnd(await openAndSend(port(), withHeaders(count)), 431);
    expect(headers.get('azimuth-detail')).toMatch(detail);
  }
});

test('trailers and extensions of chunks have the limit of headers', async () => {
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
  const long = 'a'.repeat(17 * 1024);
  await expectEnd(await openAndSend(port(), `${chunked}2\r\n{}\r\n0\r\nA: ${long}\r\n\r\n`), 431);
  await expectEnd(await openAndSend(port(), `${chunked}2;a=${long}\r\n{}\r\n`), 413);
});
