import { encodeDetail, failureBody } from '@azimuth/http';
import { Refusal } from '@azimuth/model';
import { expect, test } from 'vitest';
import { successBody } from '../../src/rest/response-bodies.js';

test('printable ASCII is unchanged', () => {
  const text = 'EtherIPAddress[2]: expected 0 to 255, got 300 ("a" & \'b\' <c>; d=~e)';
  expect(encodeDetail(text)).toBe(text);
});

test.each([
  ['50%', '50%25'],
  ['a\r\nSet-Cookie: b', 'a%0D%0ASet-Cookie: b'],
  ['tab\tnul\0del\x7f', 'tab%09nul%00del%7F'],
  ['Gäte ☃', 'G%C3%A4te %E2%98%83'],
  ['😀', '%F0%9F%98%80'],
])('%j is encoded as %s', (text, encoded) => {
  expect(encodeDetail(text)).toBe(encoded);
  expect(decodeURIComponent(encoded)).toBe(text);
});

test('the result is always a valid header value, and short', () => {
  const edges = [0, 0x1f, 0x20, 0x25, 0x7e, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff];
  const between = Array.from({ length: 100 }, (_, index) => index * 653);
  for (const code of [...edges, ...between, 0xe000, 0xfffd, 0xfffe, 0xffff]) {
    const encoded = encodeDetail(String.fromCharCode(code).repeat(500));
    expect(encoded).toMatch(/^[\x20-\x7e]*$/);
    expect(encoded.length).toBeLessThanOrEqual(3600);
  }
});

test('the result has no blank at either end', () => {
  expect(encodeDetail('  why  ')).toBe('why');
});

test('a failure contains only its header, with the message of the table', () => {
  const fault = new Refusal('outOfRange', 'x', 'y');
  expect(failureBody(fault.status).toString()).toBe('{"header":{"status":6,"message":"Out Of Range"}}');
});

test('a success contains the given members in addition to the header', () => {
  expect(successBody().toString()).toBe('{"header":{"status":0,"message":"Ok"}}');
  expect(successBody({ data: { a: 1 } }).toString()).toBe(
    '{"header":{"status":0,"message":"Ok"},"data":{"a":1}}',
  );
});
