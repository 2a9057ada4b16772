import { expect, test } from 'vitest';
import { legacyAddress, legacyUrl } from '../../src/legacy/index.js';

test.each([
  ['cola://192.168.0.1', { host: '192.168.0.1', port: 2111, framing: 'text' }, 'cola://192.168.0.1:2111'],
  [
    'colab://scanner.local/',
    { host: 'scanner.local', port: 2112, framing: 'binary' },
    'colab://scanner.local:2112',
  ],
  ['COLAB://gate:4000', { host: 'gate', port: 4000, framing: 'binary' }, 'colab://gate:4000'],
  ['cola://[::1]:2113', { host: '::1', port: 2113, framing: 'text' }, 'cola://[::1]:2113'],
])('%s is an address', (typed, address, url) => {
  expect(legacyAddress(typed)).toEqual(address);
  expect(legacyUrl(legacyAddress(typed))).toBe(url);
});

test.each([
  'http://192.168.0.1',
  'cola:192.168.0.1',
  'cola://',
  'cola://host:0',
  'cola://host:70000',
  'cola://user:secret@host',
  'cola://host/path',
  'cola://host?x=1',
])('%s is not an address', (typed) => {
  expect(() => legacyAddress(typed)).toThrow(TypeError);
});

test('the error does not contain a password in the address', () => {
  expect(() => legacyAddress('cola://user:secret@host')).toThrow(/^(?!.*secret)/);
});
