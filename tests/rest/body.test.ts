import { beforeEach, expect, test } from 'vitest';
import { service } from '../support/client.js';
import { expectData, expectDone, expectStatus } from '../support/envelope.js';
import { object, parse } from '../support/json.js';
import { RawConnection } from '../support/raw-connection.js';
import { sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
const client = () => scanner().client();
const mebibyte = 1024 * 1024;

beforeEach(async () => {
  await scanner().advance(31_000);
  expectDone(await client().call('checkCredentials'));
});

/** A request for a challenge, padded with blanks to an exact size. */
function padded(size: number): string {
  return '{"data":{"user":"Service"}}'.padEnd(size, ' ');
}

test.each([
  ['no Content-Type', {}],
  ['application/json', { 'Content-Type': 'application/json' }],
  ['application/json with a charset', { 'Content-Type': 'application/json; charset=utf-8' }],
  ['text/plain', { 'Content-Type': 'text/plain' }],
  ['the Content-Type of a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['a Content-Type that makes no sense', { 'Content-Type': '???' }],
])('a body with %s is taken as JSON', async (_, headers) => {
  expectStatus(await client().postText('getChallenge', '{"data":{"user":"Service"}}', headers), 0);
  const header = await client().header('LocationName');
  const text = JSON.stringify({ header, data: { LocationName: 'Gate 3' } });
  expectDone(await client().postText('LocationName', text, headers));
});

test.each(['', 'null', '{}', ' null ', '{ }'])('the body %j is no payload', async (body) => {
  expectData(await client().postText('GetWebserverEnabled', body), { IsEnabled: true });
  expectStatus(await client().postText('getChallenge', body), 1);
  expectStatus(await client().postText('checkCredentials', body), 4);
  expectStatus(await client().postText('WriteEeprom', body), 4);
});

test.each([
  'nope',
  '{',
  '}',
  '{"data":}',
  "{'data':{}}",
  '{"data":{"user":"Service"}} {}',
  '{"data":{"user":"Service"},}',
  'undefined',
  'NaN',
  '[',
  '"open',
  '\u0000',
])('the body %j is not JSON', async (body) => {
  expectStatus(await client().postText('GetWebserverEnabled', body), 1);
  expectStatus(await client().postText('getChallenge', body), 1);
});

test.each(['[]', '[{"data":{"user":"Service"}}]', '1', '0', '-1e400', '"text"', 'true', 'false'])(
  'the body %s is an array or a scalar',
  async (body) => {
    expectStatus(await client().postText('GetWebserverEnabled', body), 1);
    expectStatus(await client().postText('getChallenge', body), 1);
  },
);

test('a value that is somewhat too long is refused for what it is', async () => {
  expectStatus(await client().write('LocationName', 'x'.repeat(500)), 7);
  expectStatus(await client().write('LocationName', 'x'.repeat(900_000)), 1);
});

test('a value is taken however a client writes it: every letter as an escape, on lines of their own', async () => {
  const header = await client().header('LocationName', service);
  const value = '\\ud83d\\ude00'.repeat(32);
  const text = `{\r\n\t"header": ${JSON.stringify(header, undefined, 8)},\r\n\t"data": {\r\n\t\t"LocationName": "${value}"\r\n\t}\r\n}\r\n`;
  expectDone(await client().postText('LocationName', text));
  expect(await client().value('LocationName')).toBe('😀'.repeat(32));
});

test('what is left of a body over its limit is drained, and the connection serves the next request', async () => {
  const connection = await RawConnection.open(client().port);
  try {
    connection.request('POST /api/getChallenge', ['Connection: keep-alive'], padded(8 * mebibyte));
    expect(header(await connection.response())).toEqual({ status: 1, message: 'Parsing Failed' });
    connection.request('GET /api/DeviceStatus', ['Connection: keep-alive']);
    expect(header(await connection.response())).toEqual({ status: 0, message: 'Ok' });
    connection.request('POST /api/getChallenge', [], padded(100));
    expect(header(await connection.response())).toEqual({ status: 0, message: 'Ok' });
  } finally {
    connection.destroy();
  }
});

test('a body over its limit is drained where the name alone decides, too', async () => {
  const connection = await RawConnection.open(client().port);
  try {
    for (const [name, status] of [
      ['Nothing', 5],
      ['DeviceStatus', 8],
    ] as const) {
      connection.request(`POST /api/${name}`, [], padded(3 * mebibyte));
      expect(header(await connection.response())).toMatchObject({ status });
    }
    connection.request('GET /api/DeviceStatus');
    expect(header(await connection.response())).toMatchObject({ status: 0 });
  } finally {
    connection.destroy();
  }
});

test('a body that is nested deeper than its type is refused unread; a little too deep, for what it is', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  for (const depth of [3, 100, 400]) {
    expectStatus(await client().callText('LocationName', `{"LocationName":${nested(depth)}}`), 1);
    expectStatus(await client().postText('getChallenge', `{"data":{"user":${nested(depth)}}}`), 1);
  }
  expectStatus(await client().callText('LocationName', `{"LocationName":${nested(2)}}`), 2);
  const brackets = '['.repeat(32);
  expectDone(await client().callText('LocationName', `{"LocationName":"${brackets}"}`));
  expectStatus(await client().get('DeviceStatus'), 0);
});

test('what is nested deeper than its type in a large body is refused before anybody is let in', async () => {
  const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  const reply = await client().send({
    method: 'POST',
    path: '/x/fields',
    body: `{"data":{"fields":${deep}}}`,
  });
  expectStatus(reply, 1);
  expect(reply.headers['azimuth-detail']).toContain('nested deeper');
});

test('header and data are members of the body itself, not of a __proto__ in it', async () => {
  const inner = JSON.stringify({ header: await client().header('WriteEeprom') });
  expectStatus(await client().postText('WriteEeprom', `{"__proto__":${inner}}`), 4);
  expectStatus(await client().postText('getChallenge', '{"__proto__":{"data":{"user":"Service"}}}'), 1);
});

test('data may stand before the header', async () => {
  const header = await client().header('LocationName', service);
  const text = `{"data":{"LocationName":"data first"},"header":${JSON.stringify(header)}}`;
  expectDone(await client().postText('LocationName', text));
  expect(await client().value('LocationName')).toBe('data first');
});

function header({ body }: { body: string }): unknown {
  return object(parse(body)).header;
}

test('a read may have a body, which is ignored', async () => {
  const reply = await client().send({ method: 'GET', path: '/api/DeviceStatus', body: '{"data":1}' });
  expectData(reply, { DeviceStatus: 3 });
});
