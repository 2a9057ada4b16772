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

const overfull = new Set<Duplex>();

/** Too many requests have come on this connection: nothing behind the refused one is wanted. */
export function noteOverfull(connection: Duplex): void {
  if (connection.destroyed) return;
  overfull.add(connection);
  connection.once('close', () => overfull.delete(connection));
}

/** Is the rest of what this connection has brought not wanted any more? */
export function isUnwanted(connection: Duplex): boolean {
  return connection.destroyed || (overfull.size > 0 && overfull.has(connection));
}

type Act = () => void;

/** What all connections of a scanner share. */
interface Shared {
  /** Requests that wait for those in front of them. */
  waiting: number;
  /** Told of a waiting request that throws; those behind it are served all the same. */
  readonly failed: (error: unknown) => void;
}

/**
 * One connection. Its requests are answered one after the other, as they came: a read that a client sends right behind
 * a write sees what was written.
 */
export class Connection {
  /** The reply to the latest request of which the headers have come. */
  latest: ServerResponse | undefined;
  /** Has its client been told that what it sends is not HTTP? */
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

  /** Is a request being worked on, so that the next one has to wait? */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Is there a request whose answer is not out yet? */
  get isAnswering(): boolean {
    return this.latest !== undefined && !this.latest.writableFinished;
  }

  /**
   * Has later requests wait. What is returned lets them go on, once: `first`, if there is one, before all that wait.
   * Nothing may hold the connection yet.
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
   * Does this when all before it is done, or never if the connection closes first. If too many wait, `refuse` is called
   * instead, at once; it has to make its answer the last one, as nothing behind it is done.
   */
  wait(act: Act, refuse: () => void): void {
    if (this.#waiting === undefined) {
      const waiting = new WaitingRequests(this.#socket, this.#shared);
      this.#socket.once('close', () => waiting.clear());
      this.#waiting = waiting;
    }
    this.#waiting.add(act, refuse);
  }

  /** Does what waits, until one of it holds the connection again. */
  #goOn(): void {
    while (!this.#isHeld && !this.#socket.destroyed) {
      const act = this.#waiting?.next();
      if (act === undefined) return;
      this.#do(act);
    }
  }

  #do(act: Act): void {
    try {
      act();
    } catch (error) {
      this.#shared.failed(error);
    }
  }
}

/** The requests of one connection that wait. While many do, nothing is read from it. */
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

  next(): Act | undefined {
    const act = this.#acts.shift();
    if (act !== undefined) this.#shared.waiting--;
    // A connection that was too full is at its end: nothing behind its last answer is wanted.
    if (this.#acts.length < requestsBeforePause && !this.#isFull) this.#readOn();
    return act;
  }

  clear(): void {
    this.#shared.waiting -= this.#acts.length;
    this.#acts.length = 0;
    // Node may still find requests in what it has read.
    this.#isFull = true;
    this.#socket.off('resume', this.#pause);
  }

  #stopReading(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#pause();
    // Node reads on whenever a body is asked for. The bodies of the requests in front have come already.
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

/** The connections of all listeners of a scanner. Those above the limit are only good for a refusal. */
export class Connections {
  readonly #limit: number;
  readonly #known = new WeakMap<Duplex, Connection>();
  readonly #shared: Shared;
  readonly #open = new Set<Socket>();
  /** Open ones that have not sent the headers of a first request, the oldest first. */
  readonly #halfOpen = new Set<Socket>();
  readonly #refused = new Set<Socket>();

  /** @param failed is told of a waiting request that throws */
  constructor(limit: number, failed: (error: unknown) => void) {
    this.#limit = limit;
    this.#shared = { waiting: 0, failed };
  }

  /** What is known of the connection of this socket. */
  of(socket: Duplex): Connection {
    let connection = this.#known.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket, this.#shared);
      this.#known.set(socket, connection);
    }
    return connection;
  }

  /** Takes in a new connection. */
  add(socket: Socket): void {
    if (this.#open.size >= this.#limit) this.#closeOldestHalfOpen();
    if (this.#open.size < this.#limit) {
      this.#open.add(socket);
      this.#halfOpen.add(socket);
      socket.once('close', () => this.#forget(socket));
      return;
    }
    if (this.#refused.size >= mostRefusedConnections) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    // A connection that never asks for anything hears nothing, but it does not stay either.
    const timer = setTimeout(() => socket.destroy(), refusedConnectionTime);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
  }

  /** A connection is encrypted from now on: what is known of it holds for the socket that carries its content. */
  encrypted(connection: Socket, content: Socket): void {
    for (const known of [this.#open, this.#halfOpen, this.#refused]) {
      if (known.delete(connection)) known.add(content);
    }
    content.once('close', () => {
      this.#forget(content);
      this.#refused.delete(content);
    });
  }

  isRefused(socket: Socket): boolean {
    return this.#refused.size > 0 && this.#refused.has(socket);
  }

  /** The headers of a request have come: from now on the connection stays until it is closed. */
  noteRequest(socket: Socket): void {
    if (this.#halfOpen.size > 0) this.#halfOpen.delete(socket);
  }

  /** A client that opens connections by the thousand and asks nothing takes them from itself alone. */
  #closeOldestHalfOpen(): void {
    if (this.#halfOpen.size <= mostHalfOpenConnections) return;
    const [oldest] = this.#halfOpen;
    if (oldest === undefined) return;
    this.#forget(oldest);
    oldest.destroy();
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#halfOpen.delete(socket);
  }
}
