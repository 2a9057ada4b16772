import { type ResponseOptions, responseTo, stamp } from '@azimuth/test-support/time-server';
import { describe, expect, test } from 'vitest';
import { requestWith, responseIn } from '../../src/time/sntp-client.js';

const cookie = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 0xff);
const request = requestWith(cookie);

test('a request has 48 bytes: version 4, client, and only random bytes of the sender', () => {
  expect(Buffer.from(request).toString('hex')).toBe(`23${'00'.repeat(39)}01020304050607ff`);
});

test('an answer is decoded', () => {
  // 0xE8000000 s after 1900 are 2023-05-05 22:21:52 UTC; 0x40000000 is a quarter of a second.
  const packet = Buffer.from(
    `240200ec${'00'.repeat(8)}7f000001${'00'.repeat(8)}01020304050607ffe800000040000000e800000080000000`,
    'hex',
  );
  expect(responseIn(packet, cookie)).toEqual({
    kind: 'time',
    stratum: 2,
    received: Date.UTC(2023, 4, 5, 22, 21, 52, 250),
    sent: Date.UTC(2023, 4, 5, 22, 21, 52, 500),
  });
});

test('bytes after the first 48 are ignored', () => {
  expect(responseIn(Buffer.concat([responseTo(request), Buffer.alloc(20)]), cookie).kind).toBe('time');
});

test.each([
  ['ffffffff', Date.UTC(2036, 1, 7, 6, 28, 15)],
  ['00000001', Date.UTC(2036, 1, 7, 6, 28, 17)],
  ['7fffffff', Date.UTC(2104, 1, 26, 9, 42, 23)],
])('%s seconds belong to the right era', (seconds, utc) => {
  const moment = Buffer.from(`${seconds}00000000`, 'hex');
  expect(responseIn(responseTo(request, { received: moment, sent: moment }), cookie)).toMatchObject({
    received: utc,
    sent: utc,
  });
});

describe('no answer to the request is', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['one that is too short', responseTo(request).subarray(0, 47)],
    ['one to another request', responseTo(request, { origin: stamp(0) })],
    [
      'one that differs in the last bit',
      responseTo(request, { origin: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 0xfe) }),
    ],
  ])('%s', (_, packet) => {
    expect(responseIn(packet, cookie).kind).toBe('strange');
  });
});

describe('an answer has no valid time', () => {
  const noon = Date.UTC(2030, 5, 1, 12);
  test.each<[string, ResponseOptions, string]>([
    ['of a client', { first: 0x23 }, 'mode 3'],
    ['of a broadcast', { first: 0x25 }, 'mode 5'],
    ['of a server that is not synchronised', { first: 0xe4 }, 'not synchronised'],
    ['of stratum 16', { stratum: 16 }, 'stratum 16'],
    ['without the time it came', { received: new Uint8Array(8) }, 'no time'],
    ['without the time it left', { sent: new Uint8Array(8) }, 'no time'],
    ['that left before it came', { received: stamp(noon), sent: stamp(noon - 1000) }, 'before it was asked'],
    ['of 1969', { received: stamp(-1000), sent: stamp(-1000) }, 'before 1970'],
    ['of stratum 0', { stratum: 0, code: 'INIT' }, 'INIT'],
    ['of stratum 0 without letters', { stratum: 0, code: '\r\n\0<' }, 'without a reason'],
  ])('%s', (_, options, reason) => {
    expect(responseIn(responseTo(request, options), cookie)).toEqual({
      kind: 'none',
      reason: expect.stringContaining(reason),
    });
  });
});

test.each([
  ['RATE', { kind: 'slower' }],
  ['DENY', { kind: 'refused', reason: 'the server refuses access (DENY)' }],
  ['RSTR', { kind: 'refused', reason: 'the server refuses access (RSTR)' }],
])('the kiss of death %s is reported', (code, reply) => {
  expect(responseIn(responseTo(request, { first: 0xe4, stratum: 0, code }), cookie)).toEqual(reply);
});

test('a kiss of death for another request is ignored', () => {
  const packet = responseTo(request, { stratum: 0, code: 'DENY', origin: stamp(0) });
  expect(responseIn(packet, cookie).kind).toBe('strange');
});
