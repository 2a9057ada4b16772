import type { RawConnection } from '@azimuth/test-support/raw-connection';
import { expectEnd, expectResponse, open, openAndSend, read } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';

/** Connections that the scanner has accepted, in their order: each is waited for. */
async function openOneByOne(port: number, count: number): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let index = 0; index < count; index++) connections.push(await open(port));
  return connections;
}

async function served(port: number): Promise<RawConnection> {
  const connection = await openAndSend(port, read);
  await expectResponse(connection);
  return connection;
}

test('one connection above the limit gets status 11 and is closed; when a connection closes, another is accepted', async () => {
  const { httpPort } = await TestScanner.start({ web: { maxConnections: 2 } });
  const first = await served(httpPort);
  const second = await served(httpPort);
  await expectEnd(await openAndSend(httpPort, read), 200, 11);
  second.destroy();
  await expect
    .poll(async () => (await (await openAndSend(httpPort, read)).response()).body)
    .toContain('"status":0');
  first.write(read);
  await expectResponse(first);
});

test('above 64 half-open connections, each new connection closes the oldest', async () => {
  const { httpPort } = await TestScanner.start({ web: { maxConnections: 66 } });
  const [oldest, second, ...others] = await openOneByOne(httpPort, 66);
  await served(httpPort);
  await oldest?.closed;
  expect([second, ...others].filter((connection) => connection?.isClosed)).toEqual([]);
  await served(httpPort);
  await second?.closed;
  expect(others.filter(({ isClosed }) => isClosed)).toEqual([]);
  // 64 are left.
  await expectEnd(await openAndSend(httpPort, read), 200, 11);
  expect(others.filter(({ isClosed }) => isClosed)).toEqual([]);
});

test('a connection that has sent a request is never closed for a new one', async () => {
  const { httpPort } = await TestScanner.start({ web: { maxConnections: 70 } });
  const first = await served(httpPort);
  const waiting = await openAndSend(
    httpPort,
    'POST /api/getChallenge HTTP/1.1\r\nHost: x\r\nContent-Length: 27\r\n\r\n',
  );
  const halfOpen = await openOneByOne(httpPort, 68);
  for (let time = 0; time < 4; time++) await served(httpPort);
  await Promise.all(halfOpen.slice(0, 4).map(({ closed }) => closed));
  await expectEnd(await openAndSend(httpPort, read), 200, 11);
  first.write(read);
  await expectResponse(first);
  waiting.write('{"data":{"user":"Service"}}');
  await expectResponse(waiting);
});

test('incomplete headers do not count as a request', async () => {
  const { httpPort } = await TestScanner.start({ web: { maxConnections: 65 } });
  const begun = await openAndSend(httpPort, 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n');
  await openOneByOne(httpPort, 64);
  await served(httpPort);
  // It made room, as it has waited longest.
  await expect.poll(() => begun.isClosed).toBe(true);
});
