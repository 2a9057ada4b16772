import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { LogBook } from '../../../../tests/support/log-book.js';
import { Line } from '../../src/events/line.js';
import { Tail } from '../../src/events/tail.js';

/** A connection whose other end takes a frame when it is told to. */
class Wire extends Duplex {
  readonly #untaken: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 10 });
  }

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: string, taken: () => void): void {
    this.#untaken.push(taken);
  }

  resetAndDestroy(): this {
    return this.destroy();
  }

  async takeOne(): Promise<void> {
    this.#untaken.shift()?.();
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

async function line() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const wire = new Wire();
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  Object.assign(request.headers, {
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  });
  const socket = await new Promise<WebSocket>((resolve) => {
    new WebSocketServer({ noServer: true }).handleUpgrade(request, wire, Buffer.alloc(0), resolve);
  });
  await wire.takeOne();
  const cut = vi.spyOn(socket, 'terminate').mockReturnValue();
  const closed = vi.spyOn(socket, 'close').mockReturnValue();
  const log = new LogBook();
  return { socket, cut, closed, wire, log, line: new Line(socket, wire, undefined, log) };
}

const tail = new Tail('a value');

test('who takes nothing for 60 s is cut off then', async () => {
  const { line: slow, cut } = await line();
  slow.send(tail);
  slow.send(tail);
  expect(slow.isFull).toBe(true);
  vi.advanceTimersByTime(59_999);
  expect(cut).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(cut).toHaveBeenCalledOnce();
});

test('who takes something now and then is not, though more always waits', async () => {
  const { line: slow, cut, wire } = await line();
  for (let count = 0; count < 10; count++) slow.send(tail);
  for (let count = 0; count < 5; count++) {
    vi.advanceTimersByTime(50_000);
    await wire.takeOne();
    expect(slow.isFull).toBe(true);
  }
  expect(cut).not.toHaveBeenCalled();
  // It is looked every 15 s.
  vi.advanceTimersByTime(75_000);
  expect(cut).toHaveBeenCalledOnce();
});

test('who has taken all of it may rest', async () => {
  const { line: slow, cut, wire } = await line();
  slow.send(tail);
  slow.send(tail);
  await wire.takeOne();
  await wire.takeOne();
  expect(slow.isFull).toBe(false);
  vi.advanceTimersByTime(600_000);
  expect(cut).not.toHaveBeenCalled();
});

test('what fails with a message is logged, and closes this connection alone with 1011', async () => {
  const { line: served, socket, closed, log } = await line();
  served.onMessage(() => {
    throw new Error('out of order');
  });
  socket.emit('message', Buffer.from('{}'), false);
  expect(closed).toHaveBeenCalledExactlyOnceWith(1011, expect.any(String));
  expect(JSON.stringify(log.lines)).toContain('out of order');
});

test('so does what fails with a value', async () => {
  const { line: served, closed, wire } = await line();
  const broken = new Tail('a value');
  vi.spyOn(broken, 'frame').mockImplementation(() => {
    throw new RangeError('too long');
  });
  served.send(broken);
  expect(closed).toHaveBeenCalledOnce();
  served.onDrain(() => {
    throw new Error('out of order');
  });
  served.send(tail);
  served.send(tail);
  await wire.takeOne();
  await wire.takeOne();
  expect(closed).toHaveBeenCalledTimes(2);
});
