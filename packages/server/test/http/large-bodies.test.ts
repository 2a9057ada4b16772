import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { type HttpResponse, statusOf } from '@azimuth/test-support/client';
import { expectResponse, openAndSend, RawConnection, read } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const mebibyte = 1024 * 1024;

test.each([
  ['an unknown name', 'Nothing', 5],
  ['a read-only variable', 'DeviceStatus', 8],
])('a large body for %s is read to its end, and the connection stays open', async (_, name, status) => {
  const scanner = await TestScanner.start();
  const connection = await openAndSend(
    scanner.httpPort,
    `POST /api/${name} HTTP/1.1\r\nHost: x\r\nContent-Length: ${3 * mebibyte}\r\n\r\n${' '.repeat(3 * mebibyte)}`,
  );
  await expectResponse(connection, status);
  connection.write(read);
  await expectResponse(connection);
});

test('unfinished bodies share a limit: the next one is status 1 with the reason, until they are gone', async () => {
  const scanner = await TestScanner.start();
  const client = scanner.client();
  const large = `{"data":"${'x'.repeat(mebibyte - 11)}"}`;
  const sendUntil = async (done: (reply: HttpResponse) => boolean) => {
    for (;;) {
      const reply = await client.send({ method: 'POST', path: '/x/fields', body: large });
      if (done(reply)) return reply;
    }
  };
  // The body is read, and no login has succeeded.
  await sendUntil((reply) => statusOf(reply) === 4);
  const unfinished: RawConnection[] = [];
  const accepted = acceptedSockets();
  for (let count = 0; count < 64; count++) {
    const connection = await RawConnection.open(scanner.httpPort);
    connection.request('POST /x/fields', [`Content-Length: ${mebibyte}`]);
    connection.write(large.slice(1));
    unfinished.push(connection);
  }
  // All of it has been read. An earlier request may use the room of one of these bodies.
  await until(() => accepted.filter(({ bytesRead }) => bytesRead > mebibyte).length === unfinished.length);
  const refused = await sendUntil((reply) => statusOf(reply) !== 4);
  expect(statusOf(refused)).toBe(1);
  expect(refused.headers['azimuth-detail']).toBe('too many large bodies at the same time; try again');
  expect(await client.value('DeviceStatus')).toBe(3);
  for (const connection of unfinished) connection.destroy();
  await sendUntil((reply) => statusOf(reply) === 4);
});
