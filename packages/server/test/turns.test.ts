import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Turns } from '../src/http/turns.js';
import { collectGarbage } from './garbage.js';

/** So few are never refused. */
const refused = () => expect.fail('refused');

function begun(): { turns: Turns; socket: Socket; release: () => void; failures: unknown[] } {
  const failures: unknown[] = [];
  const turns = new Turns((error) => failures.push(error));
  const socket = new Socket();
  return { turns, socket, release: turns.take(socket), failures };
}

test('what waits comes in its order, when what is before it is done', () => {
  const { turns, socket, release } = begun();
  const order: string[] = [];
  let releaseSecond = (): void => undefined;
  const second = () => {
    order.push('second begins');
    releaseSecond = turns.take(socket);
  };
  turns.wait(socket, second, refused);
  turns.wait(socket, () => order.push('third'), refused);
  expect([order, turns.isTaken(socket)]).toEqual([[], true]);
  release();
  expect([order, turns.isTaken(socket)]).toEqual([['second begins'], true]);
  releaseSecond();
  expect([order, turns.isTaken(socket)]).toEqual([['second begins', 'third'], false]);
  // However often something waits, the connection is listened to once.
  expect(socket.listenerCount('close')).toBe(1);
});

test('a turn is given on once', () => {
  const { turns, socket, release } = begun();
  const order: number[] = [];
  turns.wait(
    socket,
    () => {
      order.push(1);
      turns.take(socket);
    },
    refused,
  );
  turns.wait(socket, () => order.push(2), refused);
  release();
  release();
  expect([order, turns.isTaken(socket)]).toEqual([[1], true]);
});

test('connections do not wait for each other', () => {
  const { turns, socket } = begun();
  expect(turns.isTaken(socket)).toBe(true);
  expect(turns.isTaken(new Socket())).toBe(false);
});

test('one that fails does not block those behind it', () => {
  const { turns, socket, release, failures } = begun();
  let done = 0;
  const broken = new Error('broken');
  turns.wait(
    socket,
    () => {
      throw broken;
    },
    refused,
  );
  turns.wait(socket, () => done++, refused);
  release();
  expect([done, failures, turns.isTaken(socket)]).toEqual([1, [broken], false]);
});

test('a connection that goes takes with it what waits', async () => {
  const { turns, socket, release } = begun();
  let done = 0;
  turns.wait(socket, () => done++, refused);
  const closed = once(socket, 'close');
  socket.destroy();
  release();
  await closed;
  expect([done, socket.listenerCount('close')]).toEqual([0, 0]);
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
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
  await collectGarbage();
  expect(held.map((reference) => reference.deref())).toEqual([undefined]);
});
