import { once } from 'node:events';
import { Socket } from 'node:net';
import type { LinkFaults } from '@azimuth/device/faults';
import { expect, test } from 'vitest';
import { SharedPortCable } from '../../src/network/shared-port-cable.js';

/** A network cable that is pulled out and put in, and the connections at a shared port. */
function cable() {
  const listeners = new Set<() => void>();
  let down: LinkFaults['down'];
  const link: LinkFaults = {
    get down() {
      return down;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const sockets = new Set<Socket>();
  const become = (how: LinkFaults['down']) => {
    down = how;
    for (const listener of listeners) listener();
  };
  return { become, sockets, connections: new SharedPortCable(link, { responses: [], sockets }) };
}

test('what waits on a connection that has ended is forgotten', async () => {
  const { become, connections } = cable();
  become('silent');
  const [gone, there] = [new Socket(), new Socket()];
  const opened: string[] = [];
  connections.holdUpgrade(gone, () => opened.push('gone'));
  connections.holdUpgrade(there, () => opened.push('there'));
  gone.destroy();
  await once(gone, 'close');
  connections.holdUpgrade(gone, () => opened.push('late'));
  become(undefined);
  expect(opened).toEqual(['there']);
});

test('a cable that is pulled out again and again leaves nothing on a connection', () => {
  const { become, sockets } = cable();
  const socket = new Socket();
  sockets.add(socket);
  const state = () => [socket.listenerCount('close'), socket.listenerCount('resume'), socket.writableCorked];
  const before = state();
  for (let time = 0; time < 20; time++) {
    become('silent');
    // A second fault of the same kind.
    become('silent');
    expect(socket.writableCorked).toBe(1);
    become(undefined);
  }
  expect(state()).toEqual(before);
});

test('silent connections are reset when the next fault resets them, and what waits on them is not done', async () => {
  const { become, sockets, connections } = cable();
  const socket = new Socket().on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  sockets.add(socket);
  become('silent');
  let isOpened = false;
  connections.holdUpgrade(socket, () => {
    isOpened = true;
  });
  become('reset');
  await closed;
  become(undefined);
  expect(isOpened).toBe(false);
});

test('a scanner that has ended does nothing more on connections', () => {
  const { become, sockets, connections } = cable();
  const socket = new Socket();
  sockets.add(socket);
  connections.close();
  become('reset');
  expect([socket.destroyed, connections.isDown]).toEqual([false, false]);
});
