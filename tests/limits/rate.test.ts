import { VirtualClock } from '@azimuth/device';
import { expect, test } from 'vitest';
import { RateLimit } from '../../packages/server/src/network/rate-limit.js';
import { expectAnswer, openAndSend, read } from '../support/raw-connection.js';
import { Bench } from '../support/service-test-bench.js';

test('a request above the rate is HTTP 429 with Retry-After and status 11, and its connection is kept', async () => {
  const bench = await Bench.start({ web: { rateLimit: 2 } });
  const connection = await openAndSend(bench.httpPort, read.repeat(3));
  await expectAnswer(connection);
  await expectAnswer(connection);
  const { headers } = await expectAnswer(connection, 11, 429);
  expect(headers.get('retry-after')).toBe('1');
  bench.clock.advance(1000);
  connection.write(read);
  await expectAnswer(connection);
});

test('a client is its address, over all its connections', async () => {
  const bench = await Bench.start({ web: { rateLimit: 1 } });
  await expectAnswer(await openAndSend(bench.httpPort, read));
  await expectAnswer(await openAndSend(bench.httpPort, read), 11, 429);
});

test.each([
  ['127.0.0.1', '::ffff:127.0.0.1', true],
  ['192.168.0.7', '::ffff:192.168.0.7', true],
  ['192.168.0.7', '::ffff:192.168.0.8', false],
  ['::1', '127.0.0.1', false],
  ['fe80::1', 'fe80::2', false],
  ['fe80::1%eth0', 'fe80::1%eth1', false],
])('%s and %s are the same client: %s', (one, other, same) => {
  const limit = new RateLimit(new VirtualClock(), 1);
  expect(limit.wait(one)).toBe(0);
  expect(limit.wait(other)).toBe(same ? 1 : 0);
});
