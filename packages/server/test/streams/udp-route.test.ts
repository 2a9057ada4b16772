import { Socket } from 'node:dgram';
import { VirtualClock } from '@azimuth/device';
import { LogBook } from '@azimuth/test-support/log-book';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Sending, StreamMetrics } from '../../src/streams/delivery.js';
import { UdpRoute } from '../../src/streams/udp-route.js';
import { UdpReceiver } from './receivers.js';
import { settled } from './scanner.js';

/** A clock whose scanner runs in another process from a time on that a test sets. */
class OwnedClock extends VirtualClock {
  isOwn = true;

  mayAct(): boolean {
    return this.isOwn;
  }
}

function routeTo(address: string, port: number, from?: string) {
  const clock = new OwnedClock();
  const log = new LogBook();
  const metrics = new StreamMetrics();
  const sending = new Sending({ description: 'Scan data', destination: 'there', metrics, clock, log });
  let changes = 0;
  const failed = (error: unknown) => log.error(String(error));
  const changed = () => {
    changes += 1;
  };
  const route = new UdpRoute({
    address,
    port,
    from,
    multicastBy: undefined,
    sending,
    clock,
    changed,
    failed,
  });
  onTestFinished(() => route.close());
  function put(bytes: number): void {
    const buffer = route.buffer(bytes);
    if (buffer !== undefined) route.send(buffer.subarray(0, bytes));
  }
  return { clock, log, metrics, route, put, changes: () => changes };
}

test('an unreachable destination is retried every second, and meanwhile the route is not wanted', async () => {
  // The system finds no route to an invalid address.
  const { clock, log, metrics, route, put, changes } = routeTo('300.0.0.1', 2115, '127.0.0.1');
  await settled();
  expect(route.hasReceiver).toBe(false);
  expect(changes()).toBe(1);
  expect(route.blockedBy).toBe('unreachable');
  expect(metrics.losses.of('unreachable')).toBe(1);
  put(100);
  for (let second = 0; second < 4; second++) {
    clock.advance(1000);
    await settled();
  }
  expect(metrics.losses.of('unreachable')).toBe(5);
  expect(metrics.telegrams).toBe(0);
  expect(log.lines.map(({ message }) => message)).toEqual(['Scan data: telegrams do not get through']);
});

test('after closing, it does not retry', async () => {
  const { clock, metrics, route } = routeTo('300.0.0.1', 2115);
  await settled();
  route.close();
  clock.advance(10_000);
  await settled();
  expect(metrics.losses.of('unreachable')).toBe(1);
});

test('a telegram that is too large for a datagram is counted, and the next one is sent', async () => {
  const receiver = await UdpReceiver.open();
  const { metrics, put } = routeTo('127.0.0.1', receiver.port);
  await settled();
  put(65_508);
  put(65_507);
  put(64);
  while (receiver.telegrams.length < 2) await settled(1);
  expect(receiver.telegrams.map(({ length }) => length)).toEqual([65_507, 64]);
  expect(metrics.losses.of('too_large')).toBe(1);
  expect([metrics.telegrams, metrics.bytes]).toEqual([2, 65_571]);
});

test('buffers are reused, and at most 64 telegrams wait', async () => {
  const receiver = await UdpReceiver.open();
  const { route, put, metrics } = routeTo('127.0.0.1', receiver.port);
  await settled();
  const buffers = new Set<Uint8Array>();
  for (let time = 0; time < 100; time++) {
    const buffer = route.buffer(1000);
    if (buffer === undefined) throw new Error('a buffer expected');
    buffers.add(buffer);
    route.send(buffer.subarray(0, 1000));
    await settled(1);
  }
  expect(buffers.size).toBe(1);
  for (let time = 0; time < 72; time++) put(1000);
  expect(metrics.losses.of('congested')).toBe(8);
  await settled();
  put(1000);
  expect(metrics.losses.of('congested')).toBe(8);
});

test('a stream writes into the buffer that another stream has sent, but not before it was sent', async () => {
  const receiver = await UdpReceiver.open();
  const one = routeTo('127.0.0.1', receiver.port);
  const other = routeTo('127.0.0.1', receiver.port);
  await settled();
  const first = one.route.buffer(1000);
  if (first === undefined) throw new Error('a buffer expected');
  one.route.send(first.subarray(0, 1000));
  expect(other.route.buffer(1000)).not.toBe(first);
  while (one.metrics.telegrams === 0) await settled(1);
  expect(other.route.buffer(2000)).not.toBe(first);
  expect(one.route.buffer(1000)).toBe(first);
});

test('a blocked route works once a route to the destination exists', async () => {
  const receiver = await UdpReceiver.open();
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementationOnce(function (this: Socket) {
    this.emit('error', Object.assign(new Error('ENETUNREACH'), { code: 'ENETUNREACH' }));
  });
  onTestFinished(() => spy.mockRestore());
  const { clock, route, put } = routeTo('127.0.0.1', receiver.port);
  await settled();
  expect(route.blockedBy).toBe('unreachable');
  clock.advance(1000);
  await settled();
  expect(route.blockedBy).toBe(undefined);
  put(64);
  while (receiver.telegrams.length === 0) await settled(1);
});

/** Makes the system refuse the next telegram, as it does when there is no route. */
function loseWayOnce(code: string): void {
  const spy = vi.spyOn(Socket.prototype, 'send').mockImplementationOnce((...given: readonly unknown[]) => {
    const done = given.at(-1);
    if (typeof done === 'function') done(Object.assign(new Error(code), { code }), 0);
  });
  onTestFinished(() => spy.mockRestore());
}

test.each(['ENETUNREACH', 'EHOSTUNREACH', 'EIO'])(
  'when the destination becomes unreachable (%s), the socket is replaced after a second',
  async (code) => {
    const receiver = await UdpReceiver.open();
    const { clock, put } = routeTo('127.0.0.1', receiver.port);
    await settled();
    const portOfNext = async () => {
      const count = receiver.telegrams.length;
      put(64);
      while (receiver.telegrams.length === count) await settled(1);
      return receiver.senders.at(-1)?.port;
    };
    const first = await portOfNext();
    loseWayOnce(code);
    put(64);
    await settled();
    clock.advance(999);
    await settled();
    expect(await portOfNext()).toBe(first);
    clock.advance(1);
    await settled();
    expect(await portOfNext()).not.toBe(first);
  },
);

test('an error of a single telegram does not replace the socket', async () => {
  const receiver = await UdpReceiver.open();
  const { clock, put, changes } = routeTo('127.0.0.1', receiver.port);
  await settled();
  const before = changes();
  loseWayOnce('EMSGSIZE');
  put(64);
  await settled();
  clock.advance(5000);
  await settled();
  expect(changes()).toBe(before);
});

test('multicast stays in its network', async () => {
  const hops = vi.spyOn(Socket.prototype, 'setMulticastTTL');
  onTestFinished(() => hops.mockRestore());
  routeTo('239.255.21.15', 2115);
  await settled();
  expect(hops.mock.calls).toEqual([[1]]);
});

test('a buffer that was requested but not sent does not use a slot', async () => {
  const receiver = await UdpReceiver.open();
  const { route, metrics } = routeTo('127.0.0.1', receiver.port);
  await settled();
  for (let time = 0; time < 100; time++) expect(route.buffer(100)).toBeDefined();
  expect(metrics.losses.of('congested')).toBe(0);
});

/** The ports to which datagrams were handed to the system so far, in order. */
function portsSentTo(): number[] {
  const ports: number[] = [];
  const { send } = Socket.prototype;
  const spy = vi.spyOn(Socket.prototype, 'send').mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    ports.push(this.remoteAddress().port);
    Reflect.apply(send, this, given);
  });
  onTestFinished(() => spy.mockRestore());
  return ports;
}

test('datagrams of several routes are sent together at the end of a pass of the event loop', async () => {
  const one = await UdpReceiver.open();
  const other = await UdpReceiver.open();
  const first = routeTo('127.0.0.1', one.port);
  const second = routeTo('127.0.0.1', other.port);
  await settled();
  const ports = portsSentTo();
  first.put(64);
  second.put(64);
  first.put(64);
  expect(ports).toEqual([]);
  await settled(1);
  expect(ports).toEqual([one.port, other.port, one.port]);
});

test('of many datagrams, the first 32 do not wait for the end of the pass', async () => {
  const one = await UdpReceiver.open();
  const other = await UdpReceiver.open();
  const first = routeTo('127.0.0.1', one.port);
  const second = routeTo('127.0.0.1', other.port);
  await settled();
  const ports = portsSentTo();
  for (let time = 0; time < 20; time++) {
    first.put(64);
    second.put(64);
  }
  expect(ports).toHaveLength(32);
  await settled(1);
  expect(ports).toHaveLength(40);
});

test('what waits for the end of a pass is sent before its route is closed', async () => {
  const receiver = await UdpReceiver.open();
  const { route, put, metrics } = routeTo('127.0.0.1', receiver.port);
  await settled();
  put(64);
  route.close();
  while (receiver.telegrams.length === 0) await settled(1);
  expect(metrics.telegrams).toBe(1);
});

test('a datagram at which the socket throws is counted, and those after it are sent', async () => {
  const receiver = await UdpReceiver.open();
  const { put, metrics } = routeTo('127.0.0.1', receiver.port);
  await settled();
  const spy = vi.spyOn(Socket.prototype, 'send').mockImplementationOnce(() => {
    throw new Error('this datagram cannot be sent');
  });
  onTestFinished(() => spy.mockRestore());
  put(64);
  put(64);
  while (receiver.telegrams.length === 0) await settled(1);
  expect(metrics.losses.of('other')).toBe(1);
  expect(metrics.telegrams).toBe(1);
});

test('nothing is sent while another process may run the scanner, also what was ready before', async () => {
  const receiver = await UdpReceiver.open();
  const { clock, metrics, route, put } = routeTo('127.0.0.1', receiver.port);
  await expect.poll(() => route.buffer(8)).toBeDefined();
  // The datagram is sent at the end of this pass of the event loop.
  put(8);
  clock.isOwn = false;
  put(8);
  await settled();
  expect(metrics.telegrams).toBe(0);
  expect(metrics.losses.total).toBe(0);
  clock.isOwn = true;
  put(8);
  await expect.poll(() => metrics.telegrams).toBe(1);
});
