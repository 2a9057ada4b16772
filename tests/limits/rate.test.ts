import { expectResponse, openAndSend, read } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';

test('a request above the rate gets HTTP 429 with Retry-After and status 11, and the connection stays open', async () => {
  const scanner = await TestScanner.start({ web: { rateLimit: 2 } });
  const connection = await openAndSend(scanner.httpPort, read.repeat(3));
  await expectResponse(connection);
  await expectResponse(connection);
  const { headers } = await expectResponse(connection, 11, 429);
  expect(headers.get('retry-after')).toBe('1');
  scanner.clock.advance(1000);
  connection.write(read);
  await expectResponse(connection);
});
