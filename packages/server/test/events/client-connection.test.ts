import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { LogBook } from '@azimuth/test-support/log-book';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ClientConnection } from '../../src/events/client-connection.js';

/** A connection whose other end reads a frame when a test calls it. */
class Wire extends Duplex {
  readonly #untaken: (() => void)[] = [];
  #takesAll = false;

  constructor() {
    super({ highWaterMark: 10 });
  }

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: string, taken: () => void): void {
    if (this.#takesAll) taken();
    else this.#untaken.push(taken);
  }

  /** Reads the waiting frames and all later ones, at once. */
  takeAll(): void {
    this.#takesAll = true;
    for (const taken of this.#untaken.splice(0)) taken();
  }

  resetAndDestroy(): this {
    return this.destroy();
  }

  /** Reads a frame: its header and its content. */
  async takeOne(): Promise<void> {
    this.#untaken.shift()?.();
    this.#untaken.shift()?.();
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

async function connection(extensions = '', together?: { length: number }) {
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
    ...(extensions === '' ? {} : { 'sec-websocket-extensions': extensions }),
  });
  const socket = await new Promise<WebSocket>((resolve) => {
    new WebSocketServer({ noServer: true, perMessageDeflate: { threshold: 0 } }).handleUpgrade(
      request,
      wire,
      Buffer.alloc(0),
      resolve,
    );
  });
  await wire.takeOne();
  const cut = vi.spyOn(socket, 'terminate').mockReturnValue();
  const closed = vi.spyOn(socket, 'close').mockReturnValue();
  const log = new LogBook();
  const made = new ClientConnection(socket, wire, log, ...(together === undefined ? [] : [together]));
  return { socket, cut, closed, wire, log, connection: made };
}

const value = 'a value';

test('a client that takes nothing for 60 s is disconnected', async () => {
  const { connection: slow, cut } = await connection();
  slow.send(value);
  slow.send(value);
  expect(slow.isFull).toBe(true);
  vi.advanceTimersByTime(59_999);
  expect(cut).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(cut).toHaveBeenCalledOnce();
});

test('a client that takes something now and then is not, even if data always waits', async () => {
  const { connection: slow, cut, wire } = await connection();
  for (let count = 0; count < 10; count++) slow.send(value);
  for (let count = 0; count < 5; count++) {
    vi.advanceTimersByTime(50_000);
    await wire.takeOne();
    expect(slow.isFull).toBe(true);
  }
  expect(cut).not.toHaveBeenCalled();
  // The check runs every 15 s.
  vi.advanceTimersByTime(75_000);
  expect(cut).toHaveBeenCalledOnce();
});

test('a client that has taken everything may stay idle', async () => {
  const { connection: slow, cut, wire } = await connection();
  slow.send(value);
  slow.send(value);
  await wire.takeOne();
  await wire.takeOne();
  expect(slow.isFull).toBe(false);
  vi.advanceTimersByTime(600_000);
  expect(cut).not.toHaveBeenCalled();
});

test('data that is still to be compressed counts as waiting; when there is room again, the listener is called', async () => {
  const { connection: busy, wire } = await connection('permessage-deflate');
  expect(busy.isCompressed).toBe(true);
  const drained = new Promise<void>((resolve) => {
    busy.onDrain(resolve);
  });
  busy.send('x'.repeat(200 * 1024));
  expect(busy.isFull).toBe(false);
  busy.send('x'.repeat(200 * 1024));
  expect(busy.isFull).toBe(true);
  wire.takeAll();
  await drained;
  expect(busy.isFull).toBe(false);
});

test('while much waits for all clients together, each client may have only a little; closing a connection frees its share', async () => {
  const together = { length: 4 * 1024 * 1024 };
  const { connection: busy, socket } = await connection('permessage-deflate', together);
  busy.send('x'.repeat(9 * 1024));
  expect(busy.isFull).toBe(true);
  together.length -= 1024 * 1024;
  expect(busy.isFull).toBe(false);
  socket.emit('close');
  expect(together.length).toBe(3 * 1024 * 1024);
});

test('an error while handling a message is logged and closes only this connection, with 1011', async () => {
  const { connection: served, socket, closed, log } = await connection();
  served.onMessage(() => {
    throw new Error('out of order');
  });
  socket.emit('message', Buffer.from('{}'), false);
  expect(closed).toHaveBeenCalledExactlyOnceWith(1011, expect.any(String));
  expect(JSON.stringify(log.lines)).toContain('out of order');
});

test('so does an error while sending a value', async () => {
  const { connection: served, socket, closed, wire } = await connection();
  vi.spyOn(socket, 'send').mockImplementationOnce(() => {
    throw new RangeError('too long');
  });
  served.send(value);
  expect(closed).toHaveBeenCalledOnce();
  served.onDrain(() => {
    throw new Error('out of order');
  });
  served.send(value);
  served.send(value);
  await wire.takeOne();
  await wire.takeOne();
  expect(closed).toHaveBeenCalledTimes(2);
});
