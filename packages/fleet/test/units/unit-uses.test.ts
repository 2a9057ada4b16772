import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { mostUsesOfFront } from '../../src/limits.js';
import { UnitUses } from '../../src/units/unit-uses.js';

const responseOn = (socket: Socket) => new ServerResponse(new IncomingMessage(socket));

test('responses that wait behind others use a scanner no longer than their connection is there', async () => {
  const uses = new UnitUses();
  const socket = new Socket();
  const [first, ...behind] = Array.from({ length: mostUsesOfFront }, () => responseOn(socket));
  if (first !== undefined) uses.openResponse(first);
  // One listener for all of them.
  expect(socket.listenerCount('close')).toBe(1);
  for (const response of behind) uses.openResponse(response);
  expect([uses.isFull, socket.listenerCount('close')]).toEqual([true, 1]);
  const answered = uses.answered();
  socket.destroy();
  await once(socket, 'close');
  await answered;
  expect([uses.isFull, uses.isUnusedFor(0)]).toEqual([false, true]);
  // Its connection has ended before it was answered.
  uses.openResponse(responseOn(socket));
  expect(uses.isUnusedFor(0)).toBe(true);
});

test('a response that is complete uses a scanner no longer, and its connection is forgotten', () => {
  const uses = new UnitUses();
  const socket = new Socket();
  const [one, other] = [responseOn(socket), responseOn(socket)];
  for (const response of [one, other]) uses.openResponse(response);
  one.emit('close');
  expect([uses.isUnusedFor(0), socket.listenerCount('close')]).toEqual([false, 1]);
  other.emit('close');
  expect([uses.isUnusedFor(0), socket.listenerCount('close')]).toEqual([true, 0]);
});
