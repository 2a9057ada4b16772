import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Gate, gate } from '../../device/test/gate.js';
import { Turns } from '../src/http/turns.js';
import { collectGarbage } from './garbage.js';
import { until } from './until.js';

/** So few are never refused. */
const refused = () => expect.fail('refused');

function begun(): { turns: Turns; socket: Socket; first: Gate; failures: unknown[] } {
  const failures: unknown[] = [];
  const turns = new Turns((error) => failures.push(error));
  const socket = new Socket();
  const first = gate();
  void turns.take(socket, first.opened);
  return { turns, socket, first, failures };
}

test('what waits comes in its order, when what is before it is done', async () => {
  const { turns, socket, first } = begun();
  const order: string[] = [];
  const second = gate();
  turns.wait(
    socket,
    async () => {
      order.push('second begins');
      await second.opened;
      order.push('second ends');
    },
    refused,
  );
  turns.wait(
    socket,
    () => {
      order.push('third');
    },
    refused,
  );
  expect(order).toEqual([]);
  first.open();
  await until(() => order.length > 0);
  expect([order, turns.isTaken(socket)]).toEqual([['second begins'], true]);
  second.open();
  await until(() => !turns.isTaken(socket));
  expect(order).toEqual(['second begins', 'second ends', 'third']);
  // However often something waits, the connection is listened to once.
  expect(socket.listenerCount('close')).toBe(1);
});

test('connections do not wait for each other', () => {
  const { turns, socket } = begun();
  expect(turns.isTaken(socket)).toBe(true);
  expect(turns.isTaken(new Socket())).toBe(false);
});

test('one that fails does not block those behind it', async () => {
  const { turns, socket, first, failures } = begun();
  let done = 0;
  const broken = new Error('broken');
  turns.wait(
    socket,
    () => {
      throw broken;
    },
    refused,
  );
  turns.wait(socket, () => Promise.reject(broken), refused);
  turns.wait(
    socket,
    () => {
      done++;
    },
    refused,
  );
  first.open();
  await until(() => !turns.isTaken(socket));
  expect([done, failures]).toEqual([1, [broken, broken]]);
});

test('a connection that goes takes with it what waits', async () => {
  const { turns, socket, first } = begun();
  let done = 0;
  turns.wait(
    socket,
    () => {
      done++;
    },
    refused,
  );
  socket.destroy();
  first.open();
  await until(() => !turns.isTaken(socket));
  expect(done).toBe(0);
  expect(socket.listenerCount('close')).toBe(0);
});

test('what waits is given up with its connection, also behind something that never ends', async () => {
  const { turns, socket } = begun();
  const held: WeakRef<object>[] = [];
  const wait = () => {
    const request = { url: '/' };
    held.push(new WeakRef(request));
    turns.wait(
      socket,
      () => {
        request.url = '';
      },
      refused,
    );
  };
  wait();
  await collectGarbage();
  expect(held[0]?.deref()).toBeDefined();
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
  await collectGarbage();
  expect(held[0]?.deref()).toBeUndefined();
  expect(turns.isTaken(socket)).toBe(true);
});
