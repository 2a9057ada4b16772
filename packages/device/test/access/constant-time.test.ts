import type * as Crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { Bench } from '../bench.js';

const compared = vi.hoisted((): number[] => []);

// The real comparison; how much it is given is written down.
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  const timingSafeEqual = (a: Uint8Array, b: Uint8Array) => {
    compared.push(a.length);
    return crypto.timingSafeEqual(a, b);
  };
  return { ...crypto, timingSafeEqual };
});

test.each([
  ['all is right', {}],
  ['the user is wrong', { user: 'Maintenance' }],
  ['the realm is wrong', { realm: 'another' }],
  ['opaque is wrong', { opaque: '0'.repeat(64) }],
  ['the response is wrong', { response: '0'.repeat(64) }],
  ['everything is wrong', { user: '', realm: '', opaque: '0'.repeat(64), response: '0'.repeat(64) }],
])('opaque and response are compared in constant time, both of them, where %s', async (_, wrong) => {
  const bench = await Bench.open();
  const header = { ...bench.header('checkCredentials'), ...wrong };
  compared.length = 0;
  const attempt = () => bench.device.access.authenticate(header, 'checkCredentials');
  if (Object.keys(wrong).length === 0) attempt();
  else expect(attempt).toThrow();
  expect(compared).toEqual([64, 64]);
});
