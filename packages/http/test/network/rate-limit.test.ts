import { VirtualClock } from '@azimuth/device';
import { expectResponse, openAndSend, read } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { RateLimit } from '../../src/network/rate-limit.js';

function limited(perSecond: number) {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, perSecond);
  return { clock, take: (client = 'a') => limit.wait(client) };
}

test('the requests of one second are served at once, and then one at a time', () => {
  const { clock, take } = limited(5);
  expect(Array.from({ length: 6 }, () => take())).toEqual([0, 0, 0, 0, 0, 1]);
  clock.advance(199);
  expect(take()).toBe(1);
  clock.advance(1);
  expect(take()).toBe(0);
  expect(take()).toBe(1);
});

test('after any pause, only the requests of one second are served at once', () => {
  const { clock, take } = limited(3);
  clock.advance(3_600_000);
  expect(Array.from({ length: 4 }, () => take())).toEqual([0, 0, 0, 1]);
  clock.advance(3_600_000);
  expect(Array.from({ length: 4 }, () => take())).toEqual([0, 0, 0, 1]);
});

test('refused requests do not count', () => {
  const { clock, take } = limited(1);
  expect(take()).toBe(0);
  for (let time = 0; time < 100; time++) expect(take()).toBe(1);
  clock.advance(1000);
  expect(take()).toBe(0);
});

test('each client has a separate rate', () => {
  const { take } = limited(1);
  expect([take('a'), take('b'), take('a'), take('b')]).toEqual([0, 0, 1, 1]);
});

test.each([0.1, 0.25, 0.5, 1, 3, 7, 1000])(
  'a client that waits for Retry-After is served, at %d requests a second',
  (perSecond) => {
    const { clock, take } = limited(perSecond);
    for (let time = 0; time < 3; time++) {
      let wait = take();
      for (let served = 0; wait === 0; served++) {
        expect(served).toBeLessThan(perSecond + 1);
        wait = take();
      }
      expect(Number.isInteger(wait)).toBe(true);
      clock.advance(wait * 1000);
      expect(take()).toBe(0);
    }
  },
);

test('over a long time, the rate holds', () => {
  const { clock, take } = limited(10);
  let served = 0;
  for (let ms = 0; ms < 60_000; ms += 20) {
    if (take() === 0) served++;
    clock.advance(20);
  }
  expect(served).toBeGreaterThanOrEqual(600);
  expect(served).toBeLessThanOrEqual(610);
});

test('of more than 10,000 clients, the oldest are forgotten', () => {
  const { take } = limited(1);
  take('first');
  take('second');
  for (let index = 0; index < 9_998; index++) take(`other ${index}`);
  expect(take('first')).toBe(1);
  take('one more');
  expect(take('first')).toBe(1);
  expect(take('second')).toBe(0);
});

test.each([
  ['127.0.0.1', '::ffff:127.0.0.1', true],
  ['192.168.0.7', '::ffff:192.168.0.7', true],
  ['192.168.0.7', '::ffff:192.168.0.8', false],
  ['::1', '127.0.0.1', false],
  ['fe80::1', 'fe80::2', false],
  ['fe80::1%eth0', 'fe80::1%eth1', false],
])('%s and %s are the same client: %s', (one, other, same) => {
  const { take } = limited(1);
  expect(take(one)).toBe(0);
  expect(take(other)).toBe(same ? 1 : 0);
});

test('all connections of a client have one rate', async () => {
  const { httpPort } = await TestScanner.start({ web: { rateLimit: 1 } });
  await expectResponse(await openAndSend(httpPort, read));
  await expectResponse(await openAndSend(httpPort, read), 11, 429);
});

const foreignHost = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: evil.example\r\n\r\n';
const foreignOrigin = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\n\r\n';

test.each([
  ['of another host', foreignHost],
  ['of a page of another origin', foreignOrigin],
])('a request %s is refused as that, and takes nothing of the rate of the address', async (_, foreign) => {
  const { httpPort } = await TestScanner.start({ web: { rateLimit: 1 } });
  const refused = async () => (await (await openAndSend(httpPort, foreign)).response()).statusLine;
  expect(await refused()).toBe('HTTP/1.1 403 Forbidden');
  await expectResponse(await openAndSend(httpPort, read));
  await expectResponse(await openAndSend(httpPort, read), 11, 429);
  expect(await refused()).toBe('HTTP/1.1 403 Forbidden');
});
