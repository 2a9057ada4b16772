import { expect, test } from 'vitest';
import { isLoopback, isThisComputer } from '../../src/scan-data/stream-settings.js';

const own = ['192.168.0.50', 'fe80::1234%eth0', '2001:db8::7'];

test.each([
  '127.0.0.1',
  '127.0.3.4',
  '127.255.255.254',
  'localhost',
  'LOCALHOST.',
  'gate.localhost',
  '::1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '::ffff:127.0.0.9',
])('%s is this computer by its loopback', (host) => {
  expect(isLoopback(host)).toBe(true);
  expect(isThisComputer(host, [])).toBe(true);
});

test.each([
  '192.168.0.50',
  '::ffff:192.168.0.50',
  '[2001:db8::7]',
  '2001:DB8:0:0::7',
  'fe80::1234',
  'fe80::1234%eth1',
])('%s is an address of this computer', (host) => {
  expect(isLoopback(host)).toBe(false);
  expect(isThisComputer(host, own)).toBe(true);
});

test.each(['192.168.0.51', '128.0.0.1', '12.7.0.0', '::2', '2001:db8::8', 'gate.local', ''])(
  '%j is another computer',
  (host) => {
    expect(isThisComputer(host, own)).toBe(false);
  },
);
