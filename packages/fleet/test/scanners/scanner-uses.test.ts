import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { latch } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { mostUsesOfScanner } from '../../src/limits.js';
import { ScannerUses } from '../../src/scanners/scanner-uses.js';

const responseOn = (socket: Socket) => new ServerResponse(new IncomingMessage(socket));

test('responses that wait behind others use a scanner no longer than their connection is there', async () => {
  const uses = new ScannerUses();
  const socket = new Socket();
  const [first, ...behind] = Array.from({ length: mostUsesOfScanner }, () => responseOn(socket));
  if (first !== undefined) uses.openResponse(first);
  // One listener for all of them.
  expect(socket.listenerCount('close')).toBe(1);
  for (const response of behind) uses.openResponse(response);
  expect([uses.isFull, socket.listenerCount('close')]).toEqual([true, 1]);
  const answered = uses.responded();
  socket.destroy();
  await once(socket, 'close');
  await answered;
  expect([uses.isFull, uses.isUnusedFor(0)]).toEqual([false, true]);
  // Its connection has ended before the response.
  uses.openResponse(responseOn(socket));
  expect(uses.isUnusedFor(0)).toBe(true);
});

test('a response that is complete uses a scanner no longer, and its connection is forgotten', () => {
  const uses = new ScannerUses();
  const socket = new Socket();
  const [one, other] = [responseOn(socket), responseOn(socket)];
  for (const response of [one, other]) uses.openResponse(response);
  one.emit('close');
  expect([uses.isUnusedFor(0), socket.listenerCount('close')]).toEqual([false, 1]);
  other.emit('close');
  expect([uses.isUnusedFor(0), socket.listenerCount('close')]).toEqual([true, 0]);
});

/** Records the fulfilment of a promise. */
function recorded(promise: Promise<void>) {
  const note = { isOver: false };
  void promise.then(() => {
    note.isOver = true;
  });
  return note;
}

test('what is being answered is over with the last response, of whichever connection', async () => {
  const uses = new ScannerUses();
  const [socket, other] = [new Socket(), new Socket()];
  const [first, second, third] = [responseOn(socket), responseOn(socket), responseOn(other)];
  for (const response of [first, second, third]) uses.openResponse(response);
  const note = recorded(uses.responded());
  for (const response of [first, third]) {
    response.emit('close');
    await new Promise(setImmediate);
    expect(note.isOver).toBe(false);
  }
  second.emit('close');
  await new Promise(setImmediate);
  expect(note.isOver).toBe(true);
});

test('a request that waits for the start of its scanner is being answered, whether it can be or not', async () => {
  const uses = new ScannerUses();
  const [one, other] = [latch(), latch()];
  const failing = one.opened.then(() => Promise.reject(new Error('no start')));
  for (const promise of [failing, other.opened]) uses.wait(promise);
  const note = recorded(uses.responded());
  one.open();
  await new Promise(setImmediate);
  expect(note.isOver).toBe(false);
  other.open();
  await new Promise(setImmediate);
  expect(note.isOver).toBe(true);
  await uses.responded();
});

test('what is open is broken off, responses behind others and WebSockets, too', async () => {
  const uses = new ScannerUses();
  const [socket, webSocket] = [new Socket(), new Socket()];
  const responses = [responseOn(socket), responseOn(socket)];
  for (const response of responses) uses.openResponse(response);
  uses.openSocket(webSocket);
  expect([uses.isUnusedFor(0), [...uses.sockets].length, [...uses.responses].length]).toEqual([false, 1, 2]);
  const answered = uses.responded();
  uses.breakOff();
  await answered;
  await new Promise(setImmediate);
  expect([[...uses.sockets].length, [...uses.responses].length]).toEqual([0, 0]);
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test('requests by all ports are counted once, over services that end', () => {
  const uses = new ScannerUses();
  uses.begin();
  uses.record();
  uses.pass();
  uses.record();
  // The service has got one of them, and four by ports of its own.
  expect(uses.requests(5)).toBe(6);
  uses.finish(5);
  expect(uses.requests(undefined)).toBe(6);
  uses.begin();
  uses.record();
  uses.pass();
  expect(uses.requests(3)).toBe(9);
});

test('requests of which a scanner knows what they leave do not keep it running, and others do until its next start', () => {
  const uses = new ScannerUses();
  uses.record();
  expect([uses.isUnusedFor(0), uses.isUnusedFor(60_000), uses.wasChanged]).toEqual([true, false, false]);
  uses.record();
  uses.change();
  expect(uses.isUnusedFor(0)).toBe(false);
  uses.begin();
  expect([uses.isUnusedFor(0), uses.wasChanged]).toEqual([true, true]);
});

/** Answers a request that sends a file, or breaks its connection off. @returns true if its scanner may rest */
function mayRestAfter(end: (response: ServerResponse) => void): boolean {
  const uses = new ScannerUses();
  const response = responseOn(new Socket());
  uses.changeUnlessRefused(response);
  uses.openResponse(response);
  expect(uses.isUnusedFor(0)).toBe(false);
  end(response);
  response.req.socket.emit('close');
  return uses.isUnusedFor(0);
}

const ended = (response: ServerResponse, statusCode: number) => {
  response.statusCode = statusCode;
  response.end();
};

test.each<[string, boolean, (response: ServerResponse) => void]>([
  ['was refused', true, (response) => ended(response, 403)],
  ['was taken', false, (response) => ended(response, 200)],
  ['was broken off', false, () => undefined],
])('a file that %s lets a scanner rest: %s', (_, expected, end) => {
  expect(mayRestAfter(end)).toBe(expected);
});

test('a file that is refused at once lets a scanner rest, and one that is taken at once does not', () => {
  const restsAfter = [403, 200].map((statusCode) => {
    const uses = new ScannerUses();
    const response = responseOn(new Socket());
    uses.changeUnlessRefused(response);
    ended(response, statusCode);
    uses.openResponse(response);
    return uses.isUnusedFor(0);
  });
  expect(restsAfter).toEqual([true, false]);
});
