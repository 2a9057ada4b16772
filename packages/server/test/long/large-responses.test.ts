import { MemoryStorage } from '@azimuth/device';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { dataOf, statusOf } from '@azimuth/test-support/client';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test, vi } from 'vitest';

const mebibyte = 1024 * 1024;

test('a large answer is sent completely, and at most one piece of it waits for a client that does not read', async () => {
  const storage = new MemoryStorage();
  const file = Buffer.from(Array.from({ length: 1_500_000 }, (_, line) => `${line}\n`).join(''));
  storage.documents.set('parameterbackup', file);
  const scanner = await TestScanner.start({ storage, release: '2.2.0' });
  const client = scanner.client();
  const accepted = acceptedSockets();
  const connection = await RawConnection.open(scanner.httpPort);
  connection.socket.pause();
  connection.request('GET /api/parameterbackup');
  const [socket] = accepted;
  await until(() => (socket?.writableLength ?? 0) > 0);
  // The system has accepted as much as it can; one piece waits in the scanner.
  for (let count = 0; count < 10; count++) {
    expect(await client.value('LocationName')).toBe('not defined');
    expect(socket?.writableLength).toBeLessThanOrEqual(64 * 1024);
  }
  const whole = await client.send({ method: 'GET', path: '/api/parameterbackup' });
  expect(whole.text === file.toString()).toBe(true);
  connection.socket.resume();
  expect((await connection.response()).body === file.toString()).toBe(true);
  connection.destroy();
});

test('replaced files whose clients do not read are limited: the next download is HTTP 503 until these clients are gone', async () => {
  const scanner = await TestScanner.start({ release: '2.2.0' });
  const client = scanner.client();
  const connections: RawConnection[] = [];
  const fetched = async () => (await client.send({ method: 'GET', path: '/api/parameterbackup' })).httpStatus;
  for (let version = 0; version < 2; version++) {
    const body = Buffer.alloc(16 * mebibyte, version + 65);
    const reply = await client.send({ method: 'PUT', path: '/api/parameterbackup', body });
    expect(reply.httpStatus).toBe(200);
    // All clients that get the same file share its memory.
    for (let count = 0; count < 5; count++) {
      const connection = await RawConnection.open(scanner.httpPort);
      connection.socket.pause();
      connection.request('GET /api/parameterbackup');
      connections.push(connection);
    }
    expect(await fetched()).toBe(200);
  }
  await client.send({ method: 'PUT', path: '/api/parameterbackup', body: Buffer.alloc(16 * mebibyte, 'x') });
  const refused = await client.send({ method: 'GET', path: '/api/parameterbackup' });
  expect([refused.httpStatus, statusOf(refused), refused.headers['retry-after']]).toEqual([503, 3, '1']);
  for (const connection of connections) connection.destroy();
  await expect.poll(fetched).toBe(200);
});

test('of a large body without a valid login only the header is parsed', async () => {
  const scanner = await TestScanner.start();
  const client = scanner.client();
  const evaluations = Array.from({ length: 3000 }, (_, Id) => ({ Id }));
  const body = (header: object) => JSON.stringify({ header, data: { fields: { evaluations, groups: [] } } });
  const [stranger, owner] = [body({ user: 'Service' }), body(await client.header('x/fields'))];
  const parse = vi.spyOn(JSON, 'parse');
  const longest = () => Math.max(...parse.mock.calls.map(([text]) => String(text).length));
  expect(statusOf(await client.send({ method: 'POST', path: '/x/fields', body: stranger }))).toBe(4);
  expect(longest()).toBeLessThan(1000);
  // Too many for a process that can write them.
  expect(statusOf(await client.send({ method: 'POST', path: '/x/fields', body: owner }))).toBe(7);
  expect(longest()).toBeGreaterThan(20_000);
  parse.mockRestore();
});

test('every large answer has the stated length, also for HEAD, and also when it is requested twice in a row', async () => {
  const scanner = await TestScanner.start();
  const { text } = await scanner.client().send({ method: 'GET', path: '/openapi.json' });
  expect(text.length).toBeGreaterThan(100_000);
  const connection = await RawConnection.open(scanner.httpPort);
  connection.request('HEAD /openapi.json');
  for (let count = 0; count < 5; count++) connection.request('GET /openapi.json');
  connection.request('GET /api/DeviceStatus');
  await until(() => connection.isClosed || connection.socket.bytesRead > 5 * text.length);
  connection.destroy();
  expect(dataOf(await scanner.client().get('DeviceStatus'))).toMatchObject({ DeviceStatus: 3 });
});
