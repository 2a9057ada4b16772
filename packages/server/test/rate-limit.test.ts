import { VirtualClock } from '@azimuth/device';
import { expect, test } from 'vitest';
import { Bench } from '../../../tests/support/service-test-bench.js';
import { RateLimit } from '../src/network/rate-limit.js';

function limited(perSecond: number) {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, perSecond);
  return { clock, take: (client = 'a') => limit.wait(client) };
}

test("a second's worth is served at once, and then one at a time", () => {
  const { clock, take } = limited(5);
  expect(Array.from({ length: 6 }, () => take())).toEqual([0, 0, 0, 0, 0, 1]);
  clock.advance(199);
  expect(take()).toBe(1);
  clock.advance(1);
  expect(take()).toBe(0);
  expect(take()).toBe(1);
});

test('no more is in store than a second is worth, however long nobody asks', () => {
  const { clock, take } = limited(3);
  clock.advance(3_600_000);
  expect(Array.from({ length: 4 }, () => take())).toEqual([0, 0, 0, 1]);
  clock.advance(3_600_000);
  expect(Array.from({ length: 4 }, () => take())).toEqual([0, 0, 0, 1]);
});

test('refused requests cost nothing', () => {
  const { clock, take } = limited(1);
  expect(take()).toBe(0);
  for (let time = 0; time < 100; time++) expect(take()).toBe(1);
  clock.advance(1000);
  expect(take()).toBe(0);
});

test('each client has its own', () => {
  const { take } = limited(1);
  expect([take('a'), take('b'), take('a'), take('b')]).toEqual([0, 0, 1, 1]);
});

test.each([0.1, 0.25, 0.5, 1, 3, 7, 1000])(
  'who waits as long as told is served, at %d a second',
  (perSecond) => {
    const { clock, take } = limited(perSecond);
    for (let time = 0; time < 50; time++) {
      const wait = take();
      if (wait === 0) continue;
      expect(Number.isInteger(wait)).toBe(true);
      clock.advance(wait * 1000);
      expect(take()).toBe(0);
    }
  },
);

test('over a long time the rate is kept', () => {
  const { clock, take } = limited(10);
  let served = 0;
  for (let ms = 0; ms < 60_000; ms += 20) {
    if (take() === 0) served++;
    clock.advance(20);
  }
  expect(served).toBeGreaterThanOrEqual(600);
  expect(served).toBeLessThanOrEqual(610);
});

test('clients by the ten thousand are forgotten, the oldest first', () => {
  const { take } = limited(1);
  take('first');
  take('second');
  for (let index = 0; index < 9_998; index++) take(`other ${index}`);
  expect(take('first')).toBe(1);
  take('one more');
  expect(take('first')).toBe(1);
  expect(take('second')).toBe(0);
});

test('a client above its rate gets HTTP 429 with Retry-After, and is served after that', async () => {
  const bench = await Bench.start({ web: { rateLimit: 2 } });
  const client = bench.client();
  const statuses = [];
  for (let time = 0; time < 3; time++) statuses.push((await client.get('DeviceStatus')).httpStatus);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await client.get('DeviceStatus');
  expect(refused.headers['retry-after']).toBe('1');
  bench.clock.advance(1000);
  expect(await client.value('DeviceStatus')).toBe(3);
});
