import { expect, test } from 'vitest';
import { scannerAddress } from '../src/address.js';

test.each([
  ['http://192.168.0.1', 'http://192.168.0.1/'],
  ['http://192.168.0.1/', 'http://192.168.0.1/'],
  ['http://192.168.0.1/api/', 'http://192.168.0.1/'],
  ['https://scanner:8443', 'https://scanner:8443/'],
  ['192.168.0.1', 'http://192.168.0.1/'],
  ['localhost:8080', 'http://localhost:8080/'],
  ['http://proxy/scanners/7/', 'http://proxy/scanners/7'],
])('%s is the scanner at %s', (text, href) => {
  expect(scannerAddress(text).href).toBe(href);
});

test.each(['', 'http://', 'a b', 'http://:80'])('"%s" is no URL', (text) => {
  expect(() => scannerAddress(text)).toThrow(/is no URL/);
});

test('another scheme is refused', () => {
  expect(() => scannerAddress('ftp://scanner')).toThrow(/begins with http/);
});

test('a password in the URL is refused, and not repeated', () => {
  expect(() => scannerAddress('http://Service:geheim@scanner')).toThrow(
    new TypeError('the URL of a scanner must not hold a user or a password'),
  );
});
