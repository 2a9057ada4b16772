import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { openConnection, type Place, type Trust } from './connection.js';

/** Sends messages of syslog to one server. */
export interface SyslogTransport {
  /** Maximum bytes of a message. */
  readonly longest: number;
  /** Resolves when the system has sent it: syslog has no acknowledgement. */
  send(message: Buffer, signal: AbortSignal): Promise<void>;
  end(): void;
}

/** Sends each message as a datagram (RFC 5426). A datagram is lost without a sign. */
export class DatagramTransport implements SyslogTransport {
  /** Every receiver should accept this many (RFC 5426, 3.2). */
  readonly longest = 2048;
  readonly #place: Place;
  #socket: DatagramSocket | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  async send(message: Buffer, signal: AbortSignal): Promise<void> {
    const socket = this.#socket ?? (await this.#open(signal));
    await new Promise<void>((resolve, reject) => {
      socket.send(message, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  end(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  async #open(signal: AbortSignal): Promise<DatagramSocket> {
    const { host, port } = this.#place;
    const { address, family } = await lookup(host);
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    // The next message looks for the address again.
    socket.on('error', () => {
      if (this.#socket === socket) this.end();
    });
    socket.connect(port, address);
    await once(socket, 'connect', { signal });
    this.#socket = socket;
    return socket;
  }
}

/** Sends messages over one connection, with their lengths in front (RFC 6587, 3.4.1; over TLS RFC 5425). */
export class ConnectionTransport implements SyslogTransport {
  /** Every receiver should accept this many (RFC 5425, 4.3.1). */
  readonly longest = 8192;
  readonly #place: Place;
  readonly #trust: Trust | undefined;
  #socket: Socket | undefined;

  /** @param trust undefined for TCP without TLS */
  constructor(place: Place, trust: Trust | undefined) {
    this.#place = place;
    this.#trust = trust;
  }

  async send(message: Buffer, signal: AbortSignal): Promise<void> {
    const socket = this.#socket ?? (await this.#open(signal));
    const destroy = () => socket.destroy();
    signal.addEventListener('abort', destroy, { once: true });
    try {
      await written(socket, Buffer.concat([Buffer.from(`${message.length} `), message]));
    } finally {
      signal.removeEventListener('abort', destroy);
    }
  }

  end(): void {
    this.#socket?.end();
    this.#socket = undefined;
  }

  async #open(signal: AbortSignal): Promise<Socket> {
    const socket = await openConnection(this.#place, this.#trust, signal);
    this.#socket = socket;
    const gone = () => {
      if (this.#socket === socket) this.#socket = undefined;
    };
    socket.once('close', gone);
    // The server ends it when it is restarted: what is written after that is lost.
    socket.once('end', gone);
    return socket;
  }
}

function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('the connection was closed'));
    socket.once('close', closed);
    socket.write(bytes, (error) => {
      socket.off('close', closed);
      if (error) reject(error);
      else resolve();
    });
  });
}
