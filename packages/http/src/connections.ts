import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  mostHalfOpenConnections,
  mostRefusedConnections,
  mostWaitingRequests,
  mostWaitingTogether,
  mostWaitingWhenMany,
  refusedConnectionTime,
  requestsBeforePause,
} from './limits.js';
import { AddressShares } from './network/address-shares.js';
import { clientOf } from './network/client-address.js';
import { takeTurn } from './turns.js';

const overfull = new Set<Duplex>();

/** Too many requests came on this connection: requests after the refused one are dropped. */
export function noteOverfull(connection: Duplex): void {
  if (connection.destroyed) return;
  overfull.add(connection);
  connection.once('close', () => overfull.delete(connection));
}

/** Are further requests of this connection dropped? */
export function isUnwanted(connection: Duplex): boolean {
  return connection.destroyed || (overfull.size > 0 && overfull.has(connection));
}

type Act = () => void;

/** State that all connections of a scanner share. */
interface Shared {
  /** Number of requests that wait for earlier ones. */
  waiting: number;
  /** Called with the error of a waiting request. Requests after it are still served. */
  readonly failed: (error: unknown) => void;
}

/**
 * One connection. Its requests are answered in order, one at a time: a read sent right after a write returns the
 * written value.
 */
export class Connection {
  /** The reply to the latest request whose headers have been read. */
  latest: ServerResponse | undefined;
  /** Has the connection been refused because it does not speak HTTP? */
  isBroken = false;
  readonly #socket: Duplex;
  readonly #shared: Shared;
  #isHeld = false;
  /** Undefined until a request has to wait. */
  #waiting: WaitingRequests | undefined;

  constructor(socket: Duplex, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
  }

  /** Is a request in progress, so that the next one has to wait? */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Is an answer not sent yet? */
  get isAnswering(): boolean {
    return this.latest !== undefined && !this.latest.writableFinished;
  }

  /**
   * Makes later requests wait. The returned function lets them continue; it may be called once, and runs `first`, if
   * given, before all waiting requests. No request may hold the connection yet.
   */
  hold(first?: Act): () => void {
    this.#isHeld = true;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#isHeld = false;
      if (first !== undefined && !this.#socket.destroyed) this.#do(first);
      this.#goOn();
    };
  }

  /**
   * Runs this when all earlier requests are done, or never if the connection closes first. If too many wait, it calls
   * `refuse` at once instead. `refuse` must make its answer the last one, because later requests are dropped.
   */
  wait(act: Act, refuse: () => void): void {
    if (this.#waiting === undefined) {
      const waiting = new WaitingRequests(this.#socket, this.#shared);
      this.#socket.once('close', () => waiting.clear());
      this.#waiting = waiting;
    }
    this.#waiting.add(act, refuse);
  }

  /** Runs waiting requests until one of them holds the connection again. Those of other connections take turns with them. */
  #goOn(): void {
    if (this.#waiting === undefined || this.#waiting.isEmpty || this.#isHeld) return;
    // Requests that come meanwhile are behind those that wait.
    this.#isHeld = true;
    takeTurn(() => {
      this.#isHeld = false;
      const act = this.#socket.destroyed ? undefined : this.#waiting?.next();
      if (act === undefined) return;
      this.#do(act);
      this.#goOn();
    });
  }

  #do(act: Act): void {
    try {
      act();
    } catch (error) {
      this.#shared.failed(error);
    }
  }
}

/** The waiting requests of one connection. While too many wait, nothing is read from the connection. */
class WaitingRequests {
  readonly #socket: Duplex;
  readonly #shared: Shared;
  readonly #acts: Act[] = [];
  #isFull = false;
  #isPaused = false;

  constructor(socket: Duplex, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
  }

  add(act: Act, refuse: () => void): void {
    if (this.#isFull) return;
    const most = this.#shared.waiting < mostWaitingTogether ? mostWaitingRequests : mostWaitingWhenMany;
    if (this.#acts.length >= most) {
      this.#isFull = true;
      refuse();
      return;
    }
    this.#acts.push(act);
    this.#shared.waiting++;
    if (this.#acts.length >= requestsBeforePause) this.#stopReading();
  }

  get isEmpty(): boolean {
    return this.#acts.length === 0;
  }

  next(): Act | undefined {
    const act = this.#acts.shift();
    if (act !== undefined) this.#shared.waiting--;
    // A connection with too many requests is closed after its last answer, so later requests are dropped.
    if (this.#acts.length < requestsBeforePause && !this.#isFull) this.#readOn();
    return act;
  }

  clear(): void {
    this.#shared.waiting -= this.#acts.length;
    this.#acts.length = 0;
    // Node may still parse requests from bytes that it has already read.
    this.#isFull = true;
    this.#socket.off('resume', this.#pause);
  }

  #stopReading(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#pause();
    // Node resumes reading when a body is read. The bodies of earlier requests are complete at this point.
    this.#socket.on('resume', this.#pause);
  }

  #readOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.off('resume', this.#pause);
    this.#socket.resume();
  }

  readonly #pause = (): void => {
    this.#socket.pause();
  };
}

/** The connections of all listeners of a scanner. Connections above the limit only get a refusal. */
export class Connections {
  readonly #limit: number;
  readonly #known = new WeakMap<Duplex, Connection>();
  readonly #shared: Shared;
  readonly #open = new Set<Socket>();
  readonly #shares = new AddressShares<Socket>();
  /** Open connections that have not sent the headers of a first request, the oldest first. */
  readonly #halfOpen = new Set<Socket>();
  readonly #refused = new Set<Socket>();

  /** @param failed gets the error of a waiting request */
  constructor(limit: number, failed: (error: unknown) => void) {
    this.#limit = limit;
    this.#shared = { waiting: 0, failed };
  }

  /** The state of this socket's connection. */
  of(socket: Duplex): Connection {
    let connection = this.#known.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket, this.#shared);
      this.#known.set(socket, connection);
    }
    return connection;
  }

  /** Registers a new connection. */
  add(socket: Socket): void {
    const client = clientOf(socket.remoteAddress);
    if (this.#open.size >= this.#limit) this.#closeOldestHalfOpen();
    if (this.#open.size >= this.#limit) this.#closeOneOfTheLargest(client);
    if (this.#open.size < this.#limit) {
      this.#open.add(socket);
      this.#shares.add(socket, client);
      this.#halfOpen.add(socket);
      socket.once('close', () => this.#forget(socket));
      return;
    }
    if (this.#refused.size >= mostRefusedConnections) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    // A refused connection that sends no request gets no answer, and is closed after this time.
    const timer = setTimeout(() => socket.destroy(), refusedConnectionTime);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
  }

  /** A connection is encrypted from now on. Its state moves to the socket that carries the decrypted content. */
  encrypted(connection: Socket, content: Socket): void {
    for (const known of [this.#open, this.#halfOpen, this.#refused]) {
      if (known.delete(connection)) known.add(content);
    }
    if (this.#shares.delete(connection)) this.#shares.add(content, clientOf(content.remoteAddress));
    content.once('close', () => {
      this.#forget(content);
      this.#refused.delete(content);
    });
  }

  isRefused(socket: Socket): boolean {
    return this.#refused.size > 0 && this.#refused.has(socket);
  }

  /** The headers of a request are complete: the connection is no longer closed in favour of others. */
  noteRequest(socket: Socket): void {
    if (this.#halfOpen.size > 0) this.#halfOpen.delete(socket);
  }

  /** A client that opens thousands of connections without a request loses only its own. */
  #closeOldestHalfOpen(): void {
    if (this.#halfOpen.size <= mostHalfOpenConnections) return;
    const [oldest] = this.#halfOpen;
    if (oldest === undefined) return;
    this.#forget(oldest);
    oldest.destroy();
  }

  /** A client that keeps all connections loses one to a client that has fewer: the oldest, an idle one if it has any. */
  #closeOneOfTheLargest(newcomer: string): void {
    const theirs = [...this.#shares.largest(newcomer)];
    const closed = theirs.find((socket) => this.#known.get(socket)?.isAnswering !== true) ?? theirs[0];
    if (closed === undefined) return;
    this.#forget(closed);
    closed.destroy();
  }

  #forget(socket: Socket): void {
    this.#shares.delete(socket);
    this.#open.delete(socket);
    this.#halfOpen.delete(socket);
  }
}
