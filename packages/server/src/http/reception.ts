import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock, UnexpectedErrors } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import type { Traffic, TurnedAway } from '../traffic/traffic.js';
import { BrokenRequests, TunnelWanted } from './broken-requests.js';
import { Connections, isUnwanted, noteOverfull } from './connections.js';
import { Entrance } from './entrance.js';
import type { HostAndOrigin } from './host-and-origin.js';
import type { RateLimit } from './rate-limit.js';
import { refuse, replyForbidden } from './reply.js';
import { countOf, objectionTo, pathOf } from './request-head.js';
import { mostWaiting, type Turns } from './turns.js';
import { UnsentAnswers } from './unsent-answers.js';

/** How many connections that have brought too much may read their answers first, and for how long (ms). */
const mostOverfull = 4;
const lingering = 5000;

/** A look at the clock for so many requests: most take some 20 µs. */
const looksAtClock = 8;

/** Takes connections over that become WebSockets. */
export interface Upgrades {
  isAt(path: string): boolean;
  /** @param head what has come behind the request */
  take(request: IncomingMessage, head: Buffer): void;
}

interface Facts {
  readonly errors: UnexpectedErrors;
  readonly clock: Clock;
  readonly maxConnections: number;
  readonly rateLimit: RateLimit | undefined;
  readonly hostAndOrigin: HostAndOrigin;
  readonly traffic: Traffic;
  readonly turns: Turns;
  /** Answers a request; where that takes longer, it takes the turn of the connection for so long. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly events: Upgrades;
}

/**
 * Lets requests in, whatever listener they come to: those of one connection in their order, not too many, and nothing
 * that is no HTTP.
 */
export class Reception {
  readonly #facts: Facts;
  readonly #connections: Connections;
  readonly #broken = new BrokenRequests();
  readonly #unsent = new UnsentAnswers();
  /** Connections that have brought too much in one piece, and have not been closed yet. */
  #overfull = 0;
  readonly #entrance: Entrance;
  #received = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#connections = new Connections(facts.maxConnections);
    const { traffic } = facts;
    this.#entrance = new Entrance({
      clock: facts.clock,
      traffic,
      connections: this.#connections,
      broken: this.#broken,
      turns: facts.turns,
      errors: facts.errors,
    });
  }

  /** Takes what comes to this listener, which must leave the check of the header Host to it. */
  attach(server: Server): void {
    this.#entrance.watch(server);
    this.#take(server);
  }

  /** The same behind TLS. */
  attachSecure(server: SecureServer): void {
    this.#entrance.watchSecure(server);
    this.#take(server);
  }

  /**
   * Does a request become a WebSocket? Any other one with such a header is served as if it had none; also one that is
   * to be refused, or that comes before the answers to others are out.
   */
  takesUpgrade(request: IncomingMessage): boolean {
    const { socket, method, headers } = request;
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
    const { events, turns, rateLimit } = this.#facts;
    if (!events.isAt(pathOf(request.url ?? '')) || hasBody(request)) return false;
    if (this.#connections.isRefused(socket) || objectionTo(request) !== undefined) return false;
    if (this.#facts.hostAndOrigin.refusalOf(request) !== undefined) return false;
    if (turns.isTaken(socket) || this.#broken.isAnswering(socket)) return false;
    return (rateLimit?.wait(socket.remoteAddress ?? '') ?? 0) === 0;
  }

  /** Something beside it was refused, which counts with what it refuses itself. */
  countRefusal(reason: TurnedAway): void {
    this.#facts.traffic.turnedAway(reason);
  }

  #take(server: Server): void {
    const { errors } = this.#facts;
    server.on('upgrade', (request, connection, head) =>
      errors.contain(
        'http',
        () => {
          if (isUnwanted(connection)) {
            // Node listens to it no longer.
            connection.on('error', () => connection.destroy());
            return;
          }
          this.#connections.noteRequest(request.socket);
          this.#facts.events.take(request, head);
        },
        () => connection.destroy(),
      ),
    );
    server.on('request', (request, response) => this.#receive(request, response));
    server.on('checkExpectation', (request, response) =>
      errors.contain(
        'http',
        () => this.#refuseExpectation(request, response),
        () => response.destroy(),
      ),
    );
    server.on('connect', (_, connection) =>
      errors.contain(
        'http',
        () => this.#refuseTunnel(connection),
        () => connection.destroy(),
      ),
    );
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    try {
      // A piece of 64 KiB may hold 1500 requests, and hundreds of connections may have brought one each.
      if (++this.#received % looksAtClock === 0) this.#facts.clock.catchUp();
      if (this.#isTurnedAway(request, response)) return;
      if (this.#facts.hostAndOrigin.answersPreflight(request, response)) return;
      if (this.#facts.turns.isTaken(request.socket)) this.#wait(request, response);
      else this.#begin(request, response);
    } catch (error) {
      this.#failed(error, response);
    }
  }

  /** The last answer of its connection: what was left half done there is nobody's to sort out. */
  #failed(error: unknown, response: ServerResponse): void {
    const { errors } = this.#facts;
    errors.tell('http', error);
    errors.contain('http', () => {
      response.shouldKeepAlive = false;
      if (response.headersSent) response.destroy();
      else refuse(response, new Fault('internalServerError', '', 'the log of the scanner says why'));
    });
  }

  /** Has a request answered, or waits with it until answers before it have been read. */
  #begin(request: IncomingMessage, response: ServerResponse): void {
    // Its body may have turned out broken, and been refused, while it waited; or its client may have gone.
    if (response.headersSent || request.socket.destroyed) return;
    const unsent = this.#unsent.before(response);
    if (unsent === undefined) {
      this.#facts.serve(request, response);
      return;
    }
    const release = this.#facts.turns.take(request.socket, () => this.#beginAtLast(request, response));
    unsent.once('close', release);
  }

  #beginAtLast(request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#begin(request, response);
    } catch (error) {
      this.#failed(error, response);
    }
  }

  #wait(request: IncomingMessage, response: ServerResponse): void {
    this.#facts.turns.wait(
      request.socket,
      () => this.#beginAtLast(request, response),
      () => this.#refuseOverflow(request, response),
    );
  }

  /**
   * The last answer of a connection on which too much has come in one piece. All of that is kept as long as the
   * connection is, so few may linger, and not long; any other is cut off at once.
   */
  #refuseOverflow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.#facts.traffic.turnedAway('rate');
    if (this.#overfull >= mostOverfull) {
      socket.destroy();
      return;
    }
    this.#overfull++;
    noteOverfull(socket);
    const timer = setTimeout(() => socket.destroy(), lingering).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      this.#overfull--;
    });
    const why = `more than ${mostWaiting} requests wait on this connection; those behind this one are not done`;
    response.setHeader('Retry-After', 1);
    refuseAndClose(request, response, new Fault('outOfConnections', '', why), 429);
  }

  #refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isTurnedAway(request, response)) return;
    request.resume();
    this.#facts.traffic.turnedAway('expectation');
    refuse(response, new Fault('parsingFailed', '', 'nothing but 100-continue can be expected'), 417);
  }

  /** Node leaves the connection to us, without anybody who hears of its errors. */
  #refuseTunnel(connection: Duplex): void {
    connection.on('error', () => connection.destroy());
    this.#facts.traffic.turnedAway('broken');
    this.#broken.refuse(new TunnelWanted(), connection);
    connection.resume();
  }

  #isTurnedAway(request: IncomingMessage, response: ServerResponse): boolean {
    const { traffic, hostAndOrigin } = this.#facts;
    const { socket } = request;
    this.#connections.noteRequest(socket);
    this.#broken.follow(response);
    if (this.#connections.isRefused(socket)) {
      traffic.turnedAway('connections');
      const why = 'too many connections at the same time';
      refuseAndClose(request, response, new Fault('outOfConnections', '', why));
      return true;
    }
    const objection = objectionTo(request);
    if (objection !== undefined) {
      const { httpStatus, why, counted } = objection;
      traffic.turnedAway(counted);
      refuseAndClose(request, response, new Fault('parsingFailed', '', why), httpStatus);
      return true;
    }
    // This is none that is taken, and node loses what has come behind such a request.
    if (countOf(request.rawHeaders, 'upgrade') > 0) response.shouldKeepAlive = false;
    const refused = hostAndOrigin.refusalOf(request);
    if (refused !== undefined) {
      traffic.turnedAway(refused.counted);
      request.resume();
      replyForbidden(response, refused.why);
      return true;
    }
    hostAndOrigin.share(request, response);
    const wait = this.#facts.rateLimit?.wait(socket.remoteAddress ?? '') ?? 0;
    if (wait === 0) return false;
    traffic.turnedAway('rate');
    request.resume();
    response.setHeader('Retry-After', wait);
    refuse(response, new Fault('outOfConnections', '', `too many requests: try again in ${wait} s`), 429);
    return true;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function refuseAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  httpStatus?: number,
): void {
  response.shouldKeepAlive = false;
  request.resume();
  refuse(response, fault, httpStatus);
}
