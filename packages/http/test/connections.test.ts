import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RequestContext } from '../src/connection.js';
import { Connections } from '../src/connections.js';
import { collectGarbage } from './garbage.js';

beforeEach(() => {
  // Time does not pass, so that all of a test is one turn, on a busy machine, too.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function connectionsOf(limit: number): Connections {
  return new Connections(limit, (error) => expect.fail(String(error)));
}

function add(connections: Connections, count: number): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = new Socket();
    connections.add(socket);
    return socket;
  });
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
}

test('connections up to the limit are served, those above it are refused', () => {
  const connections = connectionsOf(2);
  const refused = add(connections, 4).map((socket) => connections.of(socket).isRefused);
  expect(refused).toEqual([false, false, true, true]);
});

test('a closed connection makes room for a new one, not for a refused one', async () => {
  const connections = connectionsOf(1);
  const [first, second] = add(connections, 2);
  if (first !== undefined) await close(first);
  const [third] = add(connections, 1);
  expect(second !== undefined && connections.of(second).isRefused).toBe(true);
  expect(third !== undefined && connections.of(third).isRefused).toBe(false);
});

test('64 connections wait for their refusal, further ones are closed at once', async () => {
  const connections = connectionsOf(1);
  const sockets = add(connections, 67);
  expect(sockets.map((socket) => socket.destroyed)).toEqual([...Array(65).fill(false), true, true]);
  const [, refused] = sockets;
  if (refused !== undefined) await close(refused);
  expect(add(connections, 2).map((socket) => socket.destroyed)).toEqual([false, true]);
});

test('a refused connection without a request is closed after 5 s', () => {
  const connections = connectionsOf(0);
  const [socket] = add(connections, 1);
  vi.advanceTimersByTime(4999);
  expect(socket?.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket?.destroyed).toBe(true);
});

test('a refused connection that closes leaves no timer', async () => {
  const connections = connectionsOf(0);
  const [socket] = add(connections, 1);
  expect(vi.getTimerCount()).toBe(1);
  if (socket !== undefined) await close(socket);
  expect(vi.getTimerCount()).toBe(0);
});

/** Fails the test: so few requests are never refused. */
const refused = () => expect.fail('refused');

function held() {
  const failures: unknown[] = [];
  const connections = new Connections(10, (error) => failures.push(error));
  const socket = new Socket();
  const connection = connections.of(socket);
  /** Waits for the next request. */
  const request = () => {
    const incoming = new IncomingMessage(socket);
    connection.register(new ServerResponse(incoming));
    return new RequestContext(incoming, connection);
  };
  return { connections, connection, socket, request, release: request().hold(), failures };
}

test('waiting requests run in their order, each when the previous one is done', () => {
  const { connection, socket, request, release } = held();
  const order: string[] = [];
  let releaseSecond = (): void => undefined;
  const second = request();
  second.wait(() => {
    order.push('second begins');
    releaseSecond = second.hold();
  }, refused);
  request().wait(() => order.push('third'), refused);
  expect([order, connection.isHeld]).toEqual([[], true]);
  release();
  expect([order, connection.isHeld]).toEqual([['second begins'], true]);
  releaseSecond();
  expect([order, connection.isHeld]).toEqual([['second begins', 'third'], false]);
  // A connection has one listener only, however often something waits.
  expect(socket.listenerCount('close')).toBe(1);
});

test('a request that goes on late waits for no later one, and those behind both wait for both', () => {
  const { request, release } = held();
  const order: number[] = [];
  const late = request();
  const releaseLater = request().hold();
  const last = request();
  last.wait(() => order.push(4), refused);
  late.wait(() => order.push(2), refused);
  expect([late.isHeld, last.isHeld, order]).toEqual([true, true, []]);
  release();
  expect([late.isHeld, last.isHeld, order]).toEqual([false, true, [2]]);
  releaseLater();
  expect([last.isHeld, order]).toEqual([false, [2, 4]]);
});

test('a connection can be released only once', () => {
  const { connection, request, release } = held();
  const order: number[] = [];
  const second = request();
  second.wait(() => {
    order.push(1);
    second.hold();
  }, refused);
  request().wait(() => order.push(2), refused);
  release();
  release();
  expect([order, connection.isHeld]).toEqual([[1], true]);
});

test('connections do not wait for each other', () => {
  const { connections, connection } = held();
  expect(connection.isHeld).toBe(true);
  expect(connections.of(new Socket()).isHeld).toBe(false);
});

test('a request that fails does not block later ones', () => {
  const { connection, request, release, failures } = held();
  let done = 0;
  const broken = new Error('broken');
  request().wait(() => {
    throw broken;
  }, refused);
  request().wait(() => done++, refused);
  release();
  expect([done, failures, connection.isHeld]).toEqual([1, [broken], false]);
});

test('requests that wait on a closed connection are dropped', async () => {
  const { request, socket, release } = held();
  let done = 0;
  request().wait(() => done++, refused);
  const closed = once(socket, 'close');
  socket.destroy();
  release();
  await closed;
  expect([done, socket.listenerCount('close')]).toEqual([0, 0]);
});

test('waiting requests of a closed connection are dropped, even after a request that never ends', async () => {
  const { request, socket } = held();
  const waiting: WeakRef<object>[] = [];
  const wait = () => {
    const content = { url: '/' };
    waiting.push(new WeakRef(content));
    request().wait(() => {
      content.url = '';
    }, refused);
  };
  wait();
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
  await collectGarbage();
  expect(waiting.map((reference) => reference.deref())).toEqual([undefined]);
});

/** A connection of a client at this address. */
function from(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

test('a client that keeps all connections busy loses its oldest ones to others, until they have as many', () => {
  const connections = connectionsOf(4);
  const addUsed = (address: string) => {
    const socket = from(address);
    connections.add(socket);
    connections.of(socket).used?.();
    return socket;
  };
  const hogs = Array.from({ length: 4 }, () => addUsed('10.0.0.1'));
  const [one, two, three] = [addUsed('10.0.0.2'), addUsed('::ffff:10.0.0.2'), addUsed('10.0.0.2')];
  expect(hogs.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  expect([one, two, three].map((socket) => connections.of(socket).isRefused)).toEqual([false, false, true]);
  const further = addUsed('10.0.0.3');
  expect(hogs.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false]);
  expect(connections.of(further).isRefused).toBe(false);
  // Another connection of the client that has the most is still refused.
  expect(connections.of(addUsed('10.0.0.1')).isRefused).toBe(true);
});

test('addresses of one IPv6 network of 64 bits are one client', () => {
  const connections = connectionsOf(3);
  const hogs = ['2001:db8::1', '2001:db8:0:0:1::2', '2001:db8:0:0:ffff:1:2:3'].map((address) => {
    const socket = from(address);
    connections.add(socket);
    connections.of(socket).used?.();
    return socket;
  });
  const other = from('2001:db8:0:1::1');
  connections.add(other);
  expect(connections.of(other).isRefused).toBe(false);
  expect(hogs.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
});
