import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turnOver } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { pause } from '@azimuth/async';

type Listener = Server | SecureServer;

/** How long a port that ends goes on, in ms. */
export interface DrainTimes {
  /** It takes connections, and closes each behind an answer: so clients learn that they are to connect to another port. */
  readonly listens: number;
  /** What is under way when it listens no more may take so long. */
  readonly answers: number;
}

/** ms without a connection that comes or goes: whoever connects again after an answer has done so by then, also on a busy machine. */
const quietFor = 200;

/** ms that requests wait at most until the listener has closed. */
const heldFor = 1000;

/** ms for a request that is not whole, or for the first one of a connection, when the listener has closed. */
const requestWithin = 1000;

const lookEvery = 5;

/**
 * The end of a port at which no request is lost that was sent. When a listener closes, the system resets connections that it has
 * not accepted yet. So requests wait for their answers at this moment: a client that waits opens no connection.
 */
export class PortDrain {
  readonly #listeners: Listener[] = [];
  /** The last request of each connection that has come, by its answer; undefined before the first one. */
  readonly #latest = new Map<Duplex, ServerResponse | undefined>();
  /** Bytes that had come over each connection when its last answer was sent. */
  readonly #answered = new WeakMap<Duplex, number>();
  /** Answers that close their connections because the port ends. */
  readonly #closing = new WeakSet<ServerResponse>();
  #open = 0;
  /** Time of the monotonic clock at which a connection has come or gone. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #accepted = 0;
  /** WebSockets that are being made. */
  #joining = 0;
  #isEnding = false;
  /** Requests that wait until the listener has closed. */
  #held: (() => void)[] | undefined;

  /** The listener is to be closed at the end. */
  watch(server: Listener): void {
    this.#listeners.push(server);
    server.on('connection', (socket: Socket) => this.#count(socket));
    // Behind TLS, requests come by another socket than that which was accepted.
    const opened = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(opened, (socket: Duplex) => {
      this.#latest.set(socket, undefined);
      socket.once('close', () => this.#latest.delete(socket));
    });
    server.on('upgrade', ({ socket }: IncomingMessage) => this.#latest.delete(socket));
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** A request has come. @param answer called at once, except while the listener closes */
  take({ socket }: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const before = this.#latest.get(socket);
    // What was sent behind it on its connection is answered, too.
    if (before !== undefined && this.#closing.has(before) && !before.headersSent)
      before.shouldKeepAlive = true;
    this.#latest.set(socket, response);
    response.once('finish', () => this.#answered.set(socket, socket.bytesRead));
    if (this.#isEnding) this.#makeLast(response);
    if (this.#held === undefined) answer();
    else this.#held.push(answer);
  }

  /** Waits at the end for a connection that becomes a WebSocket, or is refused. */
  async join(work: Promise<void>): Promise<void> {
    this.#joining++;
    try {
      await work;
    } finally {
      this.#joining--;
    }
  }

  /**
   * Fulfilled when the port listens no more, and what was under way is answered. If no connection is open, that is so at once.
   * @param closed called when it listens no more, to end what does not end by itself
   */
  async drain({ listens, answers }: DrainTimes, closed: () => void): Promise<void> {
    this.#isEnding = true;
    for (const response of this.#latest.values()) if (response !== undefined) this.#makeLast(response);
    await until(() => this.#open === 0 && this.#isQuiet, listens);
    const held: (() => void)[] = [];
    this.#held = held;
    await until(() => this.#isQuiet, heldFor);
    await this.#acceptAll();
    // Node closes the connections that have had a request, and have none now.
    for (const listener of this.#listeners) listener.close();
    this.#held = undefined;
    for (const answer of held) answer();
    closed();
    const requestUntil = performance.now() + requestWithin;
    await until(() => !this.#isAnswering(performance.now() < requestUntil), answers);
  }

  #count(socket: Socket): void {
    const changed = (more: number) => {
      this.#open += more;
      this.#changedAt = performance.now();
    };
    this.#accepted++;
    changed(1);
    socket.once('close', () => changed(-1));
  }

  get #isQuiet(): boolean {
    return performance.now() - this.#changedAt >= quietFor;
  }

  /** @param isWaiting are requests waited for that have begun to come, or may? */
  #isAnswering(isWaiting: boolean): boolean {
    if (this.#joining > 0) return true;
    for (const [socket, response] of this.#latest) {
      if (response !== undefined && !response.writableFinished) return true;
      if (isWaiting && (response === undefined || this.#hasBegun(socket))) return true;
    }
    return false;
  }

  /** Has a part of another request come since the last answer? */
  #hasBegun(socket: Duplex): boolean {
    return socket instanceof Socket && socket.bytesRead > (this.#answered.get(socket) ?? socket.bytesRead);
  }

  /** Node accepts one connection in a turn of its event loop. */
  async #acceptAll(): Promise<void> {
    for (let before = -1; before !== this.#accepted; ) {
      before = this.#accepted;
      for (let turn = 0; turn < 2; turn++) await turnOver();
    }
  }

  #makeLast(response: ServerResponse): void {
    if (response.headersSent || !response.shouldKeepAlive) return;
    response.shouldKeepAlive = false;
    this.#closing.add(response);
  }
}

async function until(isOver: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!isOver() && performance.now() < end) await pause(lookEvery);
}
