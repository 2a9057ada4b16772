import { expect, test } from 'vitest';
import { waitAfter } from '../src/back-off.js';
import { scannerAddress } from '../src/connection.js';

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

test.each(['', 'http://', 'a b', 'http://:80'])('"%s" is not a URL', (text) => {
  expect(() => scannerAddress(text)).toThrow(/is not the URL/);
});

test('another scheme is refused', () => {
  expect(() => scannerAddress('ftp://scanner')).toThrow(/with http:/);
});

test('a password in the URL is refused, and the error does not contain it', () => {
  expect(() => scannerAddress('http://Service:geheim@scanner')).toThrow(
    new TypeError('the URL of a scanner must not contain a user or a password'),
  );
});

const now = Date.parse('2026-03-01T12:00:00Z');

test('Retry-After is honoured, in seconds and as a date', () => {
  expect(waitAfter(0, '3', now)).toBe(3000);
  expect(waitAfter(2, ' 0 ', now)).toBe(0);
  expect(waitAfter(0, 'Sun, 01 Mar 2026 12:00:07 GMT', now)).toBe(7000);
});

test('a date in the past means an immediate retry', () => {
  expect(waitAfter(0, 'Sun, 01 Mar 2026 11:59:00 GMT', now)).toBe(0);
});

test('without a usable Retry-After, the wait doubles each time', () => {
  expect([0, 1, 2].map((attempt) => waitAfter(attempt, null, now))).toEqual([500, 1000, 2000]);
  expect(waitAfter(1, 'soon', now)).toBe(1000);
});
