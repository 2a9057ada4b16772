import {
  expectEnd,
  expectResponse,
  openAndSend,
  payload,
  post,
  read,
} from '@azimuth/test-support/raw-connection';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const scanner = sharedScanner();
const port = () => scanner().client().port;

const length = `Content-Length: ${payload.length}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const inChunks = `1b\r\n${payload}\r\n0\r\n\r\n`;
const get = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n';

test.each([
  ['one chunk', `${post}${chunked}\r\n${inChunks}`],
  [
    'chunks of single bytes',
    `${post}${chunked}\r\n${[...payload].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
  ],
  ['extensions, which are passed over', `${post}${chunked}\r\n1b;a=b;c="d"\r\n${payload}\r\n0;e\r\n\r\n`],
  [
    'trailers, which are passed over',
    `${post}${chunked}\r\n1b\r\n${payload}\r\n0\r\nA: b\r\nHost: y\r\n\r\n`,
  ],
])('a body in chunks is read: %s', async (_, text) => {
  const connection = await openAndSend(port(), `${text}${read}`);
  expect((await expectResponse(connection)).body).toContain('"challenge"');
  await expectResponse(connection);
});

test.each([
  ['a length and chunks', `${post}${length}${chunked}\r\n${inChunks}`],
  ['chunks and a length', `${post}${chunked}${length}\r\n${inChunks}`],
  ['a length in the trailers', `${post}${chunked}\r\n1b\r\n${payload}\r\n0\r\n${length}\r\n`],
  ['two lengths', `${post}${length}Content-Length: 1\r\n\r\n${payload}`],
  ['the same length twice', `${post}${length}${length}\r\n${payload}`],
  ['a list of lengths', `${post}Content-Length: 27, 27\r\n\r\n${payload}`],
  ['a length below zero', `${post}Content-Length: -1\r\n\r\n${payload}`],
  ['a length with a sign', `${post}Content-Length: +27\r\n\r\n${payload}`],
  ['a length that is no number', `${post}Content-Length: 0x1b\r\n\r\n${payload}`],
  ['a length beyond all numbers', `${post}Content-Length: 18446744073709551643\r\n\r\n${payload}`],
  ['chunks twice', `${post}${chunked}${chunked}\r\n${inChunks}`],
  ['an encoding behind the chunks', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n${inChunks}`],
  ['an encoding without chunks', `${post}Transfer-Encoding: gzip\r\n\r\n${payload}`],
  ['an encoding that looks like chunks', `${post}Transfer-Encoding: xchunked\r\n\r\n${inChunks}`],
  ['chunks that end in bare line feeds', `${post}${chunked}\r\n1b\n${payload}\n0\n\n`],
  ['a chunk longer than it says', `${post}${chunked}\r\n1a\r\n${payload}\r\n0\r\n\r\n`],
  ['a chunk of no size', `${post}${chunked}\r\n\r\n${payload}\r\n0\r\n\r\n`],
  ['a blank before a colon', `${get}A : b\r\n\r\n`],
  ['a folded header', `${get}A: b\r\n c\r\n\r\n`],
  ['bare line feeds', 'GET /api/DeviceStatus HTTP/1.1\nHost: x\n\n'],
  ['one bare line feed', `${get}A: b\nC: d\r\n\r\n`],
  ['a bare carriage return', `${get}A: b\rC: d\r\n\r\n`],
  ['NUL in a header', `${get}A: b\0c\r\n\r\n`],
  ['NUL in the path', 'GET /api/Device\0Status HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a path with a blank', 'GET /api/Device Status HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a path without a slash', 'GET api/DeviceStatus HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a path that is not ASCII', 'GET /api/Gerät HTTP/1.1\r\nHost: x\r\n\r\n'],
])(
  'what may be read in two ways is HTTP 400, and nothing behind it is taken for a request: %s',
  async (_, text) => {
    const connection = await openAndSend(port(), text);
    connection.write(read);
    await expectEnd(connection, 400);
    await expect(connection.response()).rejects.toThrow('closed before a whole response');
    await expectResponse(await openAndSend(port(), read));
  },
);

test('blank lines before a request are ignored', async () => {
  const connection = await openAndSend(port(), `\r\n\r\n${read}\r\n${read}`);
  await expectResponse(connection);
  await expectResponse(connection);
});

test('a compressed body is not unpacked, and is refused as invalid JSON', async () => {
  const connection = await openAndSend(
    port(),
    `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n\u001f\u0001\r\n0\r\n\r\n${read}`,
  );
  await expectResponse(connection, 1);
  await expectResponse(connection);
});

test('HTTP/1.0 gets no 100-continue, which it does not know', async () => {
  const begun = `POST /api/getChallenge HTTP/1.0\r\n${length}Expect: 100-continue\r\n\r\n`;
  const connection = await openAndSend(port(), `${begun}${payload}`);
  expect((await expectResponse(connection)).body).toContain('"challenge"');
});
