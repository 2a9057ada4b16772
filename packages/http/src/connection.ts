import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { runOrDefer } from './event-loop-turns.js';
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
 * One connection. Its requests have turns, in the order in which they came, whichever ports respond to them. A request
 * that holds the connection makes later requests wait: a read sent right after a write returns the written value.
 */
export class Connection {
  /** Response to the latest request whose headers have been read. */
  latest: ServerResponse | undefined;
  /** The request whose body may take longer than others. */
  longRequest: IncomingMessage | undefined;
  /** True if the connection has been refused because it does not speak HTTP. */
  isBroken = false;
  /** True if the connection is above the limit, so that its request is to be refused. */
  isRefused = false;
  /**
   * Called with the response to each request that has come. If the connection becomes a WebSocket, it is called without
   * one.
   */
  used: ((response?: ServerResponse) => void) | undefined;
  /** True if too many requests have come at once. Requests after the refused one are then dropped. */
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

  /** Registers a request that has come. @param response the response to it */
  register(response: ServerResponse): void {
    this.#latestTurn++;
    this.latest = response;
    this.used?.(response);
  }

  /** The turn of the request that came last. */
  get latestTurn(): number {
    return this.#latestTurn;
  }

  /** True if further requests of this connection are dropped. */
  get dropsRequests(): boolean {
    return this.#socket.destroyed || this.isOverfull;
  }

  /** True if a request is in progress for which later ones wait. */
  get isHeld(): boolean {
    return this.#holding.length > 0 || this.#waiting?.first !== undefined;
  }

  /** True if a response is not sent yet. */
  get isResponding(): boolean {
    return this.latest !== undefined && !this.latest.writableFinished;
  }

  /** Returns true if the request with this turn has to wait for an earlier one. */
  isHeldBefore(turn: number): boolean {
    return (this.#holding[0] ?? turn) < turn || (this.#waiting?.first ?? turn) < turn;
  }

  /**
   * Makes the requests behind this turn wait. The returned function lets them continue. It may be called once. If
   * `first` is given, it runs before all that wait.
   */
  hold(turn: number, first?: Act): () => void {
    insert(this.#holding, turn, (other) => other);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      remove(this.#holding, turn);
      if (first !== undefined && !this.#socket.destroyed) this.#do(first);
      this.#goOn();
    };
  }

  /** Does the same as `RequestContext.wait`. */
  wait(turn: number, act: Act, refuse: () => void): void {
    if (this.#waiting === undefined) {
      const waiting = new WaitingRequests(this.#socket, this.#shared);
      this.#socket.once('close', () => waiting.clear());
      this.#waiting = waiting;
    }
    this.#waiting.add(turn, act, refuse);
  }

  /**
   * Runs waiting requests until one of them holds the connection again. Waiting requests of other connections run in
   * between.
   */
  #goOn(): void {
    if (this.#isGoingOn || !this.#hasNext) return;
    this.#isGoingOn = true;
    runOrDefer(() => {
      this.#isGoingOn = false;
      const act = this.#hasNext && !this.#socket.destroyed ? this.#waiting?.next() : undefined;
      if (act === undefined) return;
      this.#do(act);
      this.#goOn();
    });
  }

  /** True if a waiting request need not wait any longer. */
  get #hasNext(): boolean {
    const first = this.#waiting?.first;
    return first !== undefined && (this.#holding[0] ?? first) >= first;
  }

  #do(act: Act): void {
    try {
      act();
    } catch (error) {
      this.#shared.failed(error);
    }
  }
}

/** Inserts an item into a list in the order of turns. Almost every item comes last. */
function insert<T>(sorted: T[], added: T, turnOf: (item: T) => number): void {
  const index = sorted.findLastIndex((before) => turnOf(before) <= turnOf(added)) + 1;
  if (index === sorted.length) sorted.push(added);
  else sorted.splice(index, 0, added);
}

/** Removes a turn, which is in the list. Usually it is the only one. */
function remove(turns: number[], turn: number): void {
  if (turns.at(-1) === turn) turns.pop();
  else turns.splice(turns.indexOf(turn), 1);
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

  /** Turn of the next waiting request; undefined if none waits. */
  get first(): number | undefined {
    return this.#acts[0]?.turn;
  }

  next(): Act | undefined {
    const act = this.#acts.shift()?.act;
    if (act !== undefined) this.#shared.waiting--;
    // A connection with too many requests is closed after its last response, so later requests are dropped.
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

/** The socket of a connection holds its state, because a map would be searched several times for each request. */
const state = Symbol('state of the connection');
type StatefulSocket = Duplex & { [state]?: Connection };

/** Finds the state of a connection by its socket. A socket belongs to the listeners of one port. */
export class ConnectionStates {
  readonly #shared: Shared;

  /** @param failed gets the error of a waiting request */
  constructor(failed: (error: unknown) => void) {
    this.#shared = { waiting: 0, failed };
  }

  /** Returns the state of this socket's connection. */
  of(socket: StatefulSocket): Connection {
    socket[state] ??= new Connection(socket, this.#shared);
    return socket[state];
  }
}

/**
 * A request on its way through the ports of this process, with what they have found out about it. If a port hands the
 * request over to another one, it hands over this context.
 */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly connection: Connection;
  /**
   * True if a gateway that knows the key of the deployment has sent the request. It then counts as one of a program on
   * this computer. If the request has come to the gateway from elsewhere, the gateway says so with X-Forwarded-For.
   */
  isFromGateway = false;
  /** True if the request has come to a port behind a proxy. It then counts as one from elsewhere. */
  isBehindProxy = false;
  readonly #turn: number;

  /** @param connection has noted the request, or is to become a WebSocket */
  constructor(request: IncomingMessage, connection: Connection) {
    this.request = request;
    this.connection = connection;
    this.#turn = connection.latestTurn;
  }

  /** True if this request has to wait for an earlier one of its connection. */
  get isHeld(): boolean {
    return this.connection.isHeldBefore(this.#turn);
  }

  /**
   * Makes later requests of the connection wait. The returned function lets them continue. It may be called once. If
   * `first` is given, it runs before all that wait.
   */
  hold(first?: Act): () => void {
    return this.connection.hold(this.#turn, first);
  }

  /**
   * Runs `act` when all earlier requests are done. If the connection closes first, `act` never runs. If too many
   * requests wait, `refuse` is called at once instead. It must make its response the last one, because later requests
   * are dropped.
   */
  wait(act: Act, refuse: () => void): void {
    this.connection.wait(this.#turn, act, refuse);
  }

  /**
   * Calls `respond` when the responses to all earlier requests have been sent. Later requests wait until the response to
   * this one has been sent.
   */
  respondInTurn(response: ServerResponse, respond: Act): void {
    const release = this.hold();
    const go = () => {
      response.once('close', release);
      respond();
    };
    // Node assigns the connection to the response that is sent next. Only then does the response get an event when the
    // connection closes.
    if (response.socket === null) response.once('socket', go);
    else go();
  }

  /**
   * Lets the body of this request take longer than others: its receiver enforces a minimum rate. Node reports an
   * overdue request only once.
   */
  allowLong(): void {
    this.connection.longRequest = this.request;
  }
}
