import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';

/** Where a flood goes. */
export interface Target {
  readonly port: number;
  /** Behind TLS, whoever it says it is. */
  readonly tls?: boolean;
}

/** Bytes that the scanner reads of a connection in one go. */
const piece = 64 * 1024;

/** So many times these bytes that they fill what is read in one go. */
export function pieceOf(request: string | Buffer): Buffer {
  const bytes = Buffer.from(request);
  return Buffer.concat(Array.from({ length: Math.max(1, Math.floor(piece / bytes.length)) }, () => bytes));
}

async function opened({ port, tls = false }: Target): Promise<Socket | undefined> {
  const host = '127.0.0.1';
  const socket = tls ? connectSecurely({ host, port, rejectUnauthorized: false }) : connect({ host, port });
  socket.on('error', () => socket.destroy());
  try {
    await once(socket, tls ? 'secureConnect' : 'connect');
    return socket;
  } catch {
    // A flood that is refused is a flood all the same.
    return undefined;
  }
}

async function manyOpened(count: number, target: Target): Promise<Socket[]> {
  const sockets: Socket[] = [];
  // Not more at once than a listener keeps waiting.
  while (sockets.length < count) {
    const some = await Promise.all(
      Array.from({ length: Math.min(50, count - sockets.length) }, () => opened(target)),
    );
    for (const socket of some) if (socket !== undefined) sockets.push(socket);
    if (some.every((socket) => socket === undefined)) break;
  }
  return sockets;
}

/** Clients that have sent a piece of requests each, at the same time, and read nothing. Returns how to end them. */
export async function unread(target: Target, count: number, requests: string | Buffer): Promise<() => void> {
  const sockets = await manyOpened(count, target);
  const bytes = pieceOf(requests);
  for (const socket of sockets) {
    socket.pause();
    socket.write(bytes);
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** As `unread`, but new clients come for all that are cut off, as long as it lasts. */
export async function unreadFor(
  ms: number,
  target: Target,
  count: number,
  requests: string | Buffer,
): Promise<void> {
  const end = performance.now() + ms;
  const clients = new Set<() => void>();
  while (performance.now() < end) {
    const stop = await unread(target, count, requests);
    clients.add(stop);
    await pause(Math.min(500, ms / 4));
    stop();
  }
}

/** Clients that ask, read the answer and ask again; the bytes that came. Those that are cut off come again. */
export async function closedLoop(
  ms: number,
  target: Target,
  count: number,
  request: string | Buffer,
): Promise<number> {
  let bytes = 0;
  let isOver = false;
  const loop = async () => {
    while (!isOver) {
      const socket = await opened(target);
      if (socket === undefined) {
        await pause(10);
        continue;
      }
      socket.on('data', (data: Buffer) => {
        bytes += data.length;
        // Whoever asks at each piece of an answer asks more often than one who waits for its end.
        if (!isOver && socket.writableLength === 0) socket.write(request);
      });
      socket.write(request);
      const timer = setTimeout(() => socket.destroy(), ms);
      // A write to a client that is cut off is an error, which ends it, too.
      if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
      clearTimeout(timer);
    }
  };
  const loops = Array.from({ length: count }, loop);
  await pause(ms);
  isOver = true;
  await Promise.all(loops);
  return bytes;
}

/** Clients that begin a TLS handshake, and go before its end. */
export async function handshakes(ms: number, port: number, count: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const sockets = await manyOpened(count, { port });
    const done = sockets.map((socket) => {
      connectSecurely({ socket, rejectUnauthorized: false }).on('error', () => socket.destroy());
      return once(socket, 'data').catch(() => undefined);
    });
    await Promise.race([Promise.all(done), pause(1000)]);
    for (const socket of sockets) socket.destroy();
  }
}

/** Datagrams, as fast as they can be sent. */
export async function datagrams(ms: number, port: number, bytes: Buffer): Promise<void> {
  const socket = createSocket('udp4');
  const end = performance.now() + ms;
  while (performance.now() < end) {
    for (let count = 0; count < 200; count++) socket.send(bytes, port, '127.0.0.1');
    await pause(1);
  }
  socket.close();
}
