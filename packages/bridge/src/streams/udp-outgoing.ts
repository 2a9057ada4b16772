import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Destination } from './destination.js';
import { mostUnsentDatagrams, reopenAfter } from './limits.js';
import { OpenError, type Outgoing } from './outgoing.js';
import { Tally } from './tally.js';

/** Receivers of a group are in the network of this computer. */
const hopsToMany = 1;

/**
 * Sends each telegram as a datagram to a program, or to a group. Errors of the network are counted, and do not end it: a
 * program may start later, or again.
 */
export class UdpOutgoing implements Outgoing {
  readonly clients = undefined;
  readonly tally = new Tally();
  readonly #destination: Destination;
  #socket: Socket;
  #sender = '';
  #unsent = 0;
  #reopening: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(destination: Destination, socket: Socket) {
    this.#destination = destination;
    this.#socket = socket;
    this.#follow(socket);
  }

  /** @throws OpenError if there is no way to the destination */
  static async open(destination: Destination): Promise<UdpOutgoing> {
    try {
      return new UdpOutgoing(destination, await connectedTo(destination));
    } catch (error) {
      throw new OpenError(destination.url, error);
    }
  }

  get url(): string {
    return this.#destination.url;
  }

  get sender(): string {
    return this.#sender;
  }

  send(telegram: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#unsent >= mostUnsentDatagrams) {
      this.tally.lose('congested');
      return;
    }
    this.#attempt(telegram, (error) => {
      if (!isRefusal(error)) {
        this.#failed(error);
        return;
      }
      // The system has reported the refusal of an earlier datagram, and has not sent this one.
      this.#earlierRefused();
      this.#attempt(telegram, (again) => this.#failed(again));
    });
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    clearTimeout(this.#reopening);
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }

  #attempt(telegram: Uint8Array, failed: (error: Error) => void): void {
    this.#unsent += 1;
    this.#socket.send(telegram, (error) => {
      this.#unsent -= 1;
      if (error === null) this.tally.pass(telegram.length);
      else failed(error);
    });
  }

  #failed(error: Error): void {
    if (this.#isClosed) return;
    if (isRefusal(error)) {
      this.tally.lose('refused');
      return;
    }
    this.tally.lose('failed');
    // A connected socket keeps the route of its opening. A new one may find another route.
    this.#reopening ??= setTimeout(() => void this.#reopen(), reopenAfter);
  }

  async #reopen(): Promise<void> {
    const socket = await connectedTo(this.#destination).catch(() => undefined);
    this.#reopening = undefined;
    if (socket === undefined) return;
    if (this.#isClosed) {
      socket.close();
      return;
    }
    this.#socket.close();
    this.#socket = socket;
    this.#follow(socket);
  }

  #follow(socket: Socket): void {
    const { address, port } = socket.address();
    this.#sender = `${address}:${port}`;
    socket.on('error', (error) => {
      if (isRefusal(error)) this.#earlierRefused();
    });
  }

  /** Counts the refusal of a datagram that was counted as sent. */
  #earlierRefused(): void {
    this.tally.sent -= 1;
    this.tally.lose('refused');
  }
}

/** The system reports refusals to a connected socket only. */
async function connectedTo({ kind, host, port, by }: Destination): Promise<Socket> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port: 0, exclusive: true });
    await once(socket, 'listening');
    if (kind === 'multicast') {
      socket.setMulticastTTL(hopsToMany);
      socket.setMulticastLoopback(true);
      socket.setMulticastInterface(by);
    } else socket.setBroadcast(true);
    socket.connect(port, host);
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

function isRefusal(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED';
}
