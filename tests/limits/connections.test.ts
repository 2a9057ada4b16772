import { expect, test } from 'vitest';
import type { RawConnection } from '../support/raw-connection.js';
import { expectAnswer, expectEnd, open, openAndSend, read } from '../support/raw-connection.js';
import { Bench } from '../support/service-test-bench.js';

/** Connections that the scanner has accepted, in their order: each is waited for. */
async function openOneByOne(port: number, count: number): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let index = 0; index < count; index++) connections.push(await open(port));
  return connections;
}

async function served(port: number): Promise<RawConnection> {
  const connection = await openAndSend(port, read);
  await expectAnswer(connection);
  return connection;
}

test('one connection above the limit is told so and closed; one that closes makes room', async () => {
  const { httpPort } = await Bench.start({ web: { maxConnections: 2 } });
  const first = await served(httpPort);
  const second = await served(httpPort);
  await expectEnd(await openAndSend(httpPort, read), 200, 11);
  second.destroy();
  await expect
    .poll(async () => (await (await openAndSend(httpPort, read)).response()).body)
    .toContain('"status":0');
  first.write(read);
  await expectAnswer(first);
});

test('above 64 half-open connections the oldest makes room, one after the other', async () => {
  const { httpPort } = await Bench.start({ web: { maxConnections: 66 } });
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

test('a connection that has asked something never makes room, however long ago', async () => {
  const { httpPort } = await Bench.start({ web: { maxConnections: 70 } });
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
  await expectAnswer(first);
  waiting.write('{"data":{"user":"Service"}}');
  await expectAnswer(waiting);
});

test('a beginning of headers does not count as a request', async () => {
  const { httpPort } = await Bench.start({ web: { maxConnections: 65 } });
  const begun = await openAndSend(httpPort, 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n');
  await openOneByOne(httpPort, 64);
  await served(httpPort);
  await begun.closed;
});
