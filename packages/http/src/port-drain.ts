import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turnOver } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { pause } from '@azimuth/async';

type Listener = Server | SecureServer;

/** Times (ms) for which a port continues to work when it ends. */
export interface DrainTimes {
  /** Time for which it accepts connections, and closes each after a response: clients then connect to another port. */
  readonly listens: number;
  /** Time for unfinished work when it no longer listens. */
  readonly responds: number;
}

/**
 * Time (ms) without a connection that opens or closes. Clients that connect again after a response have done so by
 * then, also on a busy machine.
 */
const quietFor = 200;

/** Maximum time (ms) that requests wait until the listener has closed. */
const heldFor = 1000;

/** Time (ms) for a request that is not complete, or for the first one of a connection, when the listener has closed. */
const requestTimeout = 1000;

const pollInterval = 5;

/**
 * Ends a port without losing a request that was sent. When a listener closes, the system resets connections that it has
 * not accepted yet. So requests wait for their responses at this moment: a client that waits opens no connection.
 */
export class PortDrain {
  readonly #listeners: Listener[] = [];
  /** The response to the last request of each connection; undefined before the first one. */
  readonly #latest = new Map<Duplex, ServerResponse | undefined>();
  /** Bytes that had come over each connection when its last response was sent. */
  readonly #bytesAtLastResponse = new WeakMap<Duplex, number>();
  /** Responses that close their connections because the port ends. */
  readonly #closing = new WeakSet<ServerResponse>();
  #open = 0;
  /** Time of the monotonic clock at which a connection was last opened or closed. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #accepted = 0;
  /** Number of WebSockets that are being opened. */
  #joining = 0;
  #isEnding = false;
  /** Requests that wait until the listener has closed. */
  #held: (() => void)[] | undefined;

  /** Registers a listener that is to be closed at the end. */
  watch(server: Listener): void {
    this.#listeners.push(server);
    server.on('connection', (socket: Socket) => this.#count(socket));
    // With TLS, requests come over another socket than the accepted one.
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

  /** Handles a request that has come. @param serve called at once, except while the listener closes */
  accept({ socket }: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const before = this.#latest.get(socket);
    // Keeps the connection open after the previous response, because the client has sent this request on it.
    if (before !== undefined && this.#closing.has(before) && !before.headersSent)
      before.shouldKeepAlive = true;
    this.#latest.set(socket, response);
    response.once('finish', () => this.#bytesAtLastResponse.set(socket, socket.bytesRead));
    if (this.#isEnding) this.#makeLast(response);
    if (this.#held === undefined) serve();
    else this.#held.push(serve);
  }

  /** Makes `drain` wait for `work`: a connection that becomes a WebSocket, or is refused. */
  async join(work: Promise<void>): Promise<void> {
    this.#joining++;
    try {
      await work;
    } finally {
      this.#joining--;
    }
  }

  /**
   * Fulfilled when the port no longer listens, and unfinished work is done. If no connection is open, it is fulfilled
   * at once.
   * @param closed called when it no longer listens, to end what does not end by itself
   */
  async drain({ listens, responds }: DrainTimes, closed: () => void): Promise<void> {
    this.#isEnding = true;
    for (const response of this.#latest.values()) if (response !== undefined) this.#makeLast(response);
    await waitUntil(() => this.#open === 0 && this.#isQuiet, listens);
    const held: (() => void)[] = [];
    this.#held = held;
    await waitUntil(() => this.#isQuiet, heldFor);
    await this.#acceptAll();
    // Node closes idle connections that have had a request.
    for (const listener of this.#listeners) listener.close();
    this.#held = undefined;
    for (const serve of held) serve();
    closed();
    const requestUntil = performance.now() + requestTimeout;
    await waitUntil(() => !this.#isResponding(performance.now() < requestUntil), responds);
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

  /**
   * Returns true if work is unfinished.
   * @param isWaiting true if requests that have begun to come, or may come, count, too
   */
  #isResponding(isWaiting: boolean): boolean {
    if (this.#joining > 0) return true;
    for (const [socket, response] of this.#latest) {
      if (response !== undefined && !response.writableFinished) return true;
      if (isWaiting && (response === undefined || this.#hasBegun(socket))) return true;
    }
    return false;
  }

  /** Returns true if a part of another request has come since the last response. */
  #hasBegun(socket: Duplex): boolean {
    return (
      socket instanceof Socket &&
      socket.bytesRead > (this.#bytesAtLastResponse.get(socket) ?? socket.bytesRead)
    );
  }

  /** Waits until all connections are accepted. Node accepts one in a turn of its event loop. */
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

async function waitUntil(isOver: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!isOver() && performance.now() < end) await pause(pollInterval);
}
