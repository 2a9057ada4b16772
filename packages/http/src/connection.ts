import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { takeTurn } from './event-loop-turns.js';
import {
  mostWaitingRequests,
  mostWaitingTogether,
  mostWaitingWhenMany,
  requestsBeforePause,
} from './limits.js';

type Act = () => void;

/** State that all connections of a port share. */
interface Shared {
  /** Number of requests that wait for earlier ones. */
  waiting: number;
  /** Called with the error of a waiting request. Requests after it are still served. */
  readonly failed: (error: unknown) => void;
}

/**
 * One connection. Its requests have turns, in the order in which they came, whichever ports answer them. One that holds the
 * connection lets those behind it wait: a read sent right after a write returns the written value.
 */
export class Connection {
  /** The reply to the latest request whose headers have been read. */
  latest: ServerResponse | undefined;
  /** The request whose body may take longer than others. */
  longRequest: IncomingMessage | undefined;
  /** Has the connection been refused because it does not speak HTTP? */
  isBroken = false;
  /** Is it above the limit, so that its request is to be refused? */
  isRefused = false;
  /** Called with the answer of each request that has come; without one if the connection becomes a WebSocket. */
  used: ((response?: ServerResponse) => void) | undefined;
  /** Have too many requests come at once? Then requests after the refused one are dropped. */
  isOverfull = false;
  readonly #socket: Duplex;
  readonly #shared: Shared;
  #latestTurn = 0;
  /** Turns of the requests that hold the connection, the earliest first. */
  readonly #holding: number[] = [];
  /** Undefined until a request has to wait. */
  #waiting: WaitingRequests | undefined;
  #isGoingOn = false;

  constructor(socket: Duplex, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
  }

  /** A request has come: `response` is its answer. */
  note(response: ServerResponse): void {
    this.#latestTurn++;
    this.latest = response;
    this.used?.(response);
  }

  /** The turn of the request that came last. */
  get latestTurn(): number {
    return this.#latestTurn;
  }

  /** Are further requests of this connection dropped? */
  get isUnwanted(): boolean {
    return this.#socket.destroyed || this.isOverfull;
  }

  /** Is a request in progress for which later ones wait? */
  get isHeld(): boolean {
    return this.#holding.length > 0 || this.#waiting?.first !== undefined;
  }

  /** Is an answer not sent yet? */
  get isAnswering(): boolean {
    return this.latest !== undefined && !this.latest.writableFinished;
  }

  /** Does the request with this turn have to wait for an earlier one? */
  isHeldBefore(turn: number): boolean {
    const [holding = turn] = this.#holding;
    return holding < turn || (this.#waiting?.first ?? turn) < turn;
  }

  /**
   * Makes requests wait that are behind this turn. The returned function lets them continue; it may be called once, and runs
   * `first`, if given, before all that wait.
   */
  hold(turn: number, first?: Act): () => void {
    insert(this.#holding, turn, (other) => other);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#holding.splice(this.#holding.indexOf(turn), 1);
      if (first !== undefined && !this.#socket.destroyed) this.#do(first);
      this.#goOn();
    };
  }

  /** See `RequestContext.wait`. */
  wait(turn: number, act: Act, refuse: () => void): void {
    if (this.#waiting === undefined) {
      const waiting = new WaitingRequests(this.#socket, this.#shared);
      this.#socket.once('close', () => waiting.clear());
      this.#waiting = waiting;
    }
    this.#waiting.add(turn, act, refuse);
  }

  /** Runs waiting requests until one of them holds the connection again. Those of other connections take turns with them. */
  #goOn(): void {
    if (this.#isGoingOn || !this.#hasNext) return;
    this.#isGoingOn = true;
    takeTurn(() => {
      this.#isGoingOn = false;
      const act = this.#hasNext && !this.#socket.destroyed ? this.#waiting?.next() : undefined;
      if (act === undefined) return;
      this.#do(act);
      this.#goOn();
    });
  }

  /** Does a request wait that need not wait any longer? */
  get #hasNext(): boolean {
    const first = this.#waiting?.first;
    if (first === undefined) return false;
    const [holding = first] = this.#holding;
    return holding >= first;
  }

  #do(act: Act): void {
    try {
      act();
    } catch (error) {
      this.#shared.failed(error);
    }
  }
}

/** Keeps a list in the order of turns. Almost all come last. */
function insert<T>(sorted: T[], added: T, turnOf: (item: T) => number): void {
  let index = sorted.length;
  for (let before = sorted[index - 1]; before !== undefined; before = sorted[index - 1]) {
    if (turnOf(before) <= turnOf(added)) break;
    index--;
  }
  sorted.splice(index, 0, added);
}

interface Waiting {
  readonly turn: number;
  readonly act: Act;
}

/** The waiting requests of one connection. While too many wait, nothing is read from the connection. */
class WaitingRequests {
  readonly #socket: Duplex;
  readonly #shared: Shared;
  readonly #acts: Waiting[] = [];
  #isFull = false;
  #isPaused = false;

  constructor(socket: Duplex, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
  }

  add(turn: number, act: Act, refuse: () => void): void {
    if (this.#isFull) return;
    const most = this.#shared.waiting < mostWaitingTogether ? mostWaitingRequests : mostWaitingWhenMany;
    if (this.#acts.length >= most) {
      this.#isFull = true;
      refuse();
      return;
    }
    insert(this.#acts, { turn, act }, (waiting) => waiting.turn);
    this.#shared.waiting++;
    if (this.#acts.length >= requestsBeforePause) this.#stopReading();
  }

  /** The turn of the one that is next; undefined if none waits. */
  get first(): number | undefined {
    return this.#acts[0]?.turn;
  }

  next(): Act | undefined {
    const act = this.#acts.shift()?.act;
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

/** The state of connections by their sockets. */
export class KnownConnections {
  readonly #known = new WeakMap<Duplex, Connection>();
  readonly #shared: Shared;

  /** @param failed gets the error of a waiting request */
  constructor(failed: (error: unknown) => void) {
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
}

/**
 * A request on its way through the ports of this process, with what they have found out about it. A port that hands the request
 * over to another one hands over its context.
 */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly connection: Connection;
  /**
   * Has a gateway that knows the key of the deployment sent it? Then it counts as one of a program on this computer. Gateways tell by
   * themselves, with X-Forwarded-For, whether it has come to them from elsewhere.
   */
  isVouched = false;
  /** Has it come to a port behind a proxy? Then it counts as one from elsewhere. */
  isBehindProxy = false;
  readonly #turn: number;

  /** @param connection has noted the request, or is to become a WebSocket */
  constructor(request: IncomingMessage, connection: Connection) {
    this.request = request;
    this.connection = connection;
    this.#turn = connection.latestTurn;
  }

  /** Does this request have to wait for an earlier one of its connection? */
  get isHeld(): boolean {
    return this.connection.isHeldBefore(this.#turn);
  }

  /**
   * Makes later requests of the connection wait. The returned function lets them continue; it may be called once, and runs
   * `first`, if given, before all that wait.
   */
  hold(first?: Act): () => void {
    return this.connection.hold(this.#turn, first);
  }

  /**
   * Runs this when all earlier requests are done, or never if the connection closes first. If too many wait, it calls
   * `refuse` at once instead. `refuse` must make its answer the last one, because later requests are dropped.
   */
  wait(act: Act, refuse: () => void): void {
    this.connection.wait(this.#turn, act, refuse);
  }

  /**
   * Calls `answer` when the answers to all earlier requests have been sent. Later requests wait until this one has been
   * answered.
   */
  answerAlone(response: ServerResponse, answer: Act): void {
    const release = this.hold();
    const go = () => {
      response.once('close', release);
      answer();
    };
    // Node assigns the connection to an answer when it is the next to be sent: only then it tells when that was closed.
    if (response.socket === null) response.once('socket', go);
    else go();
  }

  /**
   * The body of this request may take longer than others: its receiver enforces a minimum rate. Node reports an overdue
   * request only once.
   */
  allowLong(): void {
    this.connection.longRequest = this.request;
  }
}
