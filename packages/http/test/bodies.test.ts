import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { listening } from '@azimuth/test-support/listening';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { Bodies, BodyBrokenOff, BodyRefused } from '../src/bodies.js';
import { collectGarbage } from './garbage.js';

const kibibyte = 1024;

/** A request whose connection is not open. */
function incoming(): IncomingMessage {
  return new IncomingMessage(new Socket());
}

/** Waits until everything that was pushed is read. */
async function read(request: IncomingMessage): Promise<void> {
  await until(() => request.readableLength === 0);
}

test('tiny chunks are copied, not kept', async () => {
  const bodies = new Bodies(1024 * kibibyte, 1024 * kibibyte);
  const request = incoming();
  const body = bodies.read(request);
  const chunks: WeakRef<Buffer>[] = [];
  for (let round = 0; round < 10; round++) {
    for (let count = 0; count < 1000; count++) {
      const chunk = Buffer.from('x');
      chunks.push(new WeakRef(chunk));
      request.push(chunk);
    }
    await read(request);
  }
  await collectGarbage();
  const alive = chunks.filter((chunk) => chunk.deref() !== undefined);
  expect(alive.length).toBeLessThan(10);
  request.push(null);
  expect((await body).toString()).toBe('x'.repeat(10_000));
});

test('the buffer doubles, up to the limit of one body', async () => {
  const bodies = new Bodies(5 * kibibyte, 100 * kibibyte);
  const request = incoming();
  const body = bodies.read(request);
  const sizes = new Set<number>();
  for (let count = 0; count < 5 * kibibyte; count++) {
    request.push('x');
    await read(request);
    sizes.add(bodies.held);
  }
  expect([...sizes]).toEqual([1, 2, 4, 5].map((size) => size * kibibyte));
  request.push(null);
  expect(await body).toHaveLength(5 * kibibyte);
  expect(bodies.held).toBe(0);
});

test.each([undefined, 100 * kibibyte])(
  'a body one byte above the limit is dropped and read to its end; its announced length is %s',
  async (announced) => {
    const bodies = new Bodies(5 * kibibyte, 100 * kibibyte);
    const request = incoming();
    const body = bodies.read(request, announced);
    const refused = expect(body).rejects.toThrow(new BodyRefused('expected a body of at most 5120 bytes'));
    request.push('x'.repeat(5 * kibibyte));
    await read(request);
    expect(bodies.held).toBe(5 * kibibyte);
    request.push('x');
    await read(request);
    expect(bodies.held).toBe(0);
    request.push('x'.repeat(94 * kibibyte));
    request.push(null);
    await refused;
    expect(request.readableEnded).toBe(true);
  },
);

test('a lower limit for one body applies to this body', async () => {
  const bodies = new Bodies(5 * kibibyte, 100 * kibibyte);
  const [fits, isTooLong] = [incoming(), incoming()];
  const read = bodies.read(fits, undefined, kibibyte);
  const refused = expect(bodies.read(isTooLong, undefined, kibibyte)).rejects.toThrow(BodyRefused);
  fits.push('x'.repeat(kibibyte));
  isTooLong.push('x'.repeat(kibibyte + 1));
  for (const request of [fits, isTooLong]) request.push(null);
  await refused;
  expect(await read).toHaveLength(kibibyte);
});

test('all unfinished bodies share a limit: a body above it is refused, the others are not', async () => {
  const bodies = new Bodies(4 * kibibyte, 8 * kibibyte);
  const requests = [incoming(), incoming(), incoming()];
  const [first, second, third] = requests.map((request) => bodies.read(request));
  const refused = expect(third).rejects.toThrow(
    new BodyRefused('too many large bodies at the same time; try again'),
  );
  for (const request of requests) {
    request.push('x'.repeat(4 * kibibyte));
    await read(request);
  }
  expect(bodies.held).toBe(8 * kibibyte);
  for (const request of requests) request.push(null);
  await refused;
  expect([(await first)?.length, (await second)?.length]).toEqual([4 * kibibyte, 4 * kibibyte]);
  expect(bodies.held).toBe(0);
});

test.each([undefined, new Error('reset')])(
  'a request that closes in the middle with %s is broken off',
  async (error) => {
    const bodies = new Bodies(kibibyte, kibibyte);
    const request = incoming();
    const body = bodies.read(request);
    request.push('x');
    await read(request);
    expect(bodies.held).toBe(kibibyte);
    request.destroy(error);
    await expect(body).rejects.toThrow(BodyBrokenOff);
    expect(bodies.held).toBe(0);
  },
);

test('a request that is closed already is broken off', async () => {
  const request = incoming();
  request.destroy();
  await expect(new Bodies(1, 1).read(request)).rejects.toThrow(BodyBrokenOff);
});

/** Starts a server that reads bodies. The result of the first is recorded. */
async function reading(bodies: Bodies): Promise<{ port: number; result: Promise<Buffer | Error> }> {
  const server = createServer();
  const result = new Promise<Buffer | Error>((resolve) => {
    server.on('request', (request) => bodies.read(request).then(resolve, resolve));
  });
  return { port: await listening(server), result };
}

test('over a connection, a body sent byte by byte uses at most twice its length, and no memory once broken off', async () => {
  const bodies = new Bodies(1024 * kibibyte, 1024 * kibibyte);
  const { port, result } = await reading(bodies);
  const connection = await RawConnection.open(port);
  connection.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  connection.write('1\r\nx\r\n'.repeat(40_000));
  await until(() => bodies.held >= 40_000);
  expect(bodies.held).toBe(64 * kibibyte);
  connection.destroy();
  expect(await result).toBeInstanceOf(BodyBrokenOff);
  expect(bodies.held).toBe(0);
});

test.each(['destroy', 'end'] as const)(
  'if the client calls %s in the middle of a body, no memory stays reserved',
  async (go) => {
    const bodies = new Bodies(1024 * kibibyte, 1024 * kibibyte);
    const { port, result } = await reading(bodies);
    const connection = await RawConnection.open(port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"data"');
    await until(() => bodies.held > 0);
    connection.socket[go]();
    expect(await result).toBeInstanceOf(BodyBrokenOff);
    expect(bodies.held).toBe(0);
  },
);
