import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { expect, test } from 'vitest';
import { Nonces } from '../../src/access/nonces.js';

const key = Buffer.alloc(32, 7);

test('each nonce and each opaque differs from all others', () => {
  const nonces = new Nonces(new SeededRandom(), key);
  const made = Array.from({ length: 1000 }, () => nonces.next());
  expect(new Set(made.map(({ nonce }) => nonce)).size).toBe(1000);
  expect(new Set(made.map(({ opaque }) => opaque)).size).toBe(1000);
  for (const { nonce, opaque } of made) {
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    expect(opaque).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('a nonce is recognised by its key, also after a restart, and by no other key', () => {
  const made = new Nonces(new SeededRandom('a'), key);
  const restarted = new Nonces(new SeededRandom('b'), key);
  const foreign = new Nonces(new SeededRandom('a'), Buffer.alloc(32, 8));
  for (let count = 0; count < 100; count++) {
    const { nonce } = made.next();
    expect(restarted.recognises(nonce)).toBe(true);
    expect(foreign.recognises(nonce)).toBe(false);
  }
});

test('a nonce with one changed bit is not recognised', () => {
  const nonces = new Nonces(new SeededRandom(), key);
  const { nonce } = nonces.next();
  for (let bit = 0; bit < 256; bit++) {
    const bytes = Buffer.from(nonce, 'hex');
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(nonces.recognises(bytes.toString('hex')), `bit ${bit}`).toBe(false);
  }
});

test('a text that is no nonce is not recognised', () => {
  const nonces = new Nonces(new SeededRandom(), key);
  const { nonce } = nonces.next();
  for (const text of ['', nonce.slice(1), `${nonce}0`, nonce.toUpperCase(), 'z'.repeat(64)]) {
    expect(nonces.recognises(text), text).toBe(false);
  }
});

test('the proof of a nonce is not the one of another nonce', () => {
  const nonces = new Nonces(new SeededRandom(), key);
  const [first, second] = [nonces.next().nonce, nonces.next().nonce];
  expect(nonces.recognises(second.slice(0, 32) + first.slice(32))).toBe(false);
});
