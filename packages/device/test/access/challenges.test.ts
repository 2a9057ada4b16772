import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { beforeEach, expect, test } from 'vitest';
import { Challenges, type PendingChallenge } from '../../src/access/challenges.js';
import { VirtualClock } from '../../src/index.js';

const key = new SeededRandom('key').bytes(32);
let clock: VirtualClock;
let challenges: Challenges;

beforeEach(() => {
  clock = new VirtualClock();
  challenges = new Challenges(clock, new SeededRandom(), key);
});

function issue(count: number): PendingChallenge[] {
  return Array.from({ length: count }, () => challenges.issue('Service'));
}

test('nonce and opaque are 64 lower-case hex characters, and never come twice', () => {
  const texts = issue(200).flatMap(({ nonce, opaque }) => [nonce, opaque]);
  for (const text of texts) expect(text).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(texts).size).toBe(400);
});

test('a challenge is valid once', () => {
  const challenge = challenges.issue('Maintenance');
  expect(challenges.spend(challenge.nonce)).toEqual(challenge);
  expect(challenges.spend(challenge.nonce)).toBeUndefined();
  expect(challenges.wasIssued(challenge.nonce)).toBe(true);
});

test('64 challenges of one level may be pending side by side', () => {
  for (const { nonce } of issue(64).reverse()) expect(challenges.spend(nonce)?.nonce).toBe(nonce);
});

test('the 65th removes the oldest', () => {
  const [first, second, ...rest] = issue(65).map(({ nonce }) => nonce);
  expect(challenges.spend(first ?? '')).toBeUndefined();
  expect(challenges.wasIssued(first ?? '')).toBe(true);
  for (const nonce of [second ?? '', ...rest]) expect(challenges.spend(nonce)).toBeDefined();
});

test('a spent challenge makes room for another one', () => {
  const [first, ...rest] = issue(64).map(({ nonce }) => nonce);
  challenges.spend(rest[10] ?? '');
  challenges.issue('Service');
  expect(challenges.spend(first ?? '')).toBeDefined();
});

test('a challenge for another level voids all that are pending', () => {
  const pending = issue(3);
  const other = challenges.issue('Maintenance');
  for (const { nonce } of pending) {
    expect(challenges.spend(nonce)).toBeUndefined();
    expect(challenges.wasIssued(nonce)).toBe(true);
  }
  expect(challenges.spend(other.nonce)).toEqual(other);
});

test('a challenge is valid for 60 s', () => {
  const [early, late] = issue(2);
  clock.advance(59_999);
  expect(challenges.spend(early?.nonce ?? '')).toEqual(early);
  clock.advance(1);
  expect(challenges.spend(late?.nonce ?? '')).toBeUndefined();
});

test('clearing voids all that are pending', () => {
  const [challenge] = issue(1);
  challenges.clear();
  expect(challenges.spend(challenge?.nonce ?? '')).toBeUndefined();
});

test('a nonce that was issued is known as such with the same key, after a restart too', () => {
  const { nonce } = challenges.issue('Service');
  const restarted = new Challenges(new VirtualClock(), new SeededRandom('b'), key);
  expect(restarted.wasIssued(nonce)).toBe(true);
  const otherDevice = new Challenges(clock, new SeededRandom(), new SeededRandom('other key').bytes(32));
  expect(otherDevice.wasIssued(nonce)).toBe(false);
});

test('only issued nonces are recognised', () => {
  const { nonce } = challenges.issue('Service');
  const changed = Array.from(nonce, (digit, at) => {
    const other = digit === '0' ? '1' : '0';
    return nonce.slice(0, at) + other + nonce.slice(at + 1);
  });
  const strange = ['', nonce.toUpperCase(), nonce.slice(1), `${nonce}0`, `${nonce}\n`, 'g'.repeat(64)];
  for (const text of [...changed, ...strange]) expect(challenges.wasIssued(text)).toBe(false);
});
