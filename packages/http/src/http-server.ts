import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Fault } from '@azimuth/model';
import { Admission, HostAndOrigin, pathOf } from './admission.js';
import { BrokenRequests, refuseExpectation, TunnelWanted } from './broken-requests.js';
import { type Connection, type Connections, isUnwanted } from './connections.js';
import { type AllowedNames, CrossOrigin } from './cross-origin.js';
import type { ErrorReport, PortClock, PortCounts } from './interfaces.js';
import { longestDrain, requestsPerClockUpdate } from './limits.js';
import type { RateLimit } from './network/rate-limit.js';
import type { SharedLimits } from './network/shared-limit.js';
import { NewConnections } from './new-connections.js';
import { OverfullConnections } from './overfull-connections.js';
import { refuse } from './reply.js';
import { UnsentReplies } from './unsent-replies.js';

/** Takes over connections that become WebSockets. */
interface Upgrades {
  isAt(path: string): boolean;
  /** @param head bytes that followed the request */
  take(request: IncomingMessage, head: Buffer): void;
}

interface Options {
  readonly errors: ErrorReport;
  readonly clock: PortClock;
  readonly connections: Connections;
  readonly rateLimit: RateLimit | undefined;
  readonly allowed: AllowedNames;
  readonly traffic: PortCounts;
  /** Answers a request. A promise holds the connection until it is settled. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, connection: Connection) => void;
  readonly events: Upgrades;
  /** Limits that all scanners of the process share. */
  readonly shared?: SharedLimits | undefined;
}

/** Serves the requests of any number of listeners. It admits them, and answers those of one connection in order. */
export class HttpServer {
  readonly #options: Options;
  readonly #connections: Connections;
  readonly #admission: Admission;
  readonly #crossOrigin: CrossOrigin | undefined;
  readonly #broken: BrokenRequests;
  readonly #newConnections: NewConnections;
  readonly #unsent: UnsentReplies;
  readonly #overfull = new OverfullConnections();
  #received = 0;

  constructor(options: Options) {
    const { allowed, clock, connections, errors, rateLimit, traffic, shared } = options;
    this.#options = options;
    this.#unsent = new UnsentReplies(shared?.unsentReplyBytes);
    this.#connections = connections;
    const origins = allowed.origins ?? [];
    this.#crossOrigin = origins.length === 0 ? undefined : new CrossOrigin(origins);
    this.#admission = new Admission({
      connections,
      hostAndOrigin: new HostAndOrigin(allowed),
      crossOrigin: this.#crossOrigin,
      rateLimit,
      traffic,
    });
    this.#broken = new BrokenRequests(connections);
    this.#newConnections = new NewConnections({ clock, traffic, connections, broken: this.#broken, errors });
  }

  /** Serves what comes to this listener, which must leave the check of the header Host to it. */
  attach(listener: Server): void {
    this.#newConnections.watch(listener);
    this.#serve(listener);
  }

  /** The same behind TLS. */
  attachSecure(listener: SecureServer): void {
    this.#newConnections.watchSecure(listener);
    this.#serve(listener);
  }

  /** Is this request upgraded to a WebSocket? */
  takesUpgrade(request: IncomingMessage): boolean {
    const { method, headers, url = '' } = request;
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
    return this.#options.events.isAt(pathOf(url)) && this.#admission.admitsUpgrade(request);
  }

  /** Requests of all listeners so far, also those that were refused. */
  get received(): number {
    return this.#received;
  }

  #serve(listener: Server): void {
    const { errors } = this.#options;
    const contain = (act: () => void, connection: Duplex | ServerResponse) =>
      errors.contain('http', act, () => connection.destroy());
    listener.on('request', (request, response) => this.receive(request, response));
    listener.on('upgrade', (request, connection, head) => this.upgrade(request, connection, head));
    listener.on('checkExpectation', (request, response) =>
      contain(() => this.#refuseExpectation(request, response), response),
    );
    listener.on('connect', (_, connection) => contain(() => this.#refuseTunnel(connection), connection));
  }

  /** Answers a request. It may have come to a listener of somebody else. */
  receive(request: IncomingMessage, response: ServerResponse): void {
    try {
      // 64 KiB read at once may hold 1500 requests, and hundreds of connections may have sent one each.
      if (++this.#received % requestsPerClockUpdate === 0) this.#options.clock.catchUp();
      const connection = this.#connections.of(request.socket);
      if (!this.#admission.admits(request, response, connection)) return;
      if (this.#crossOrigin?.answersPreflight(request, response) === true) return;
      if (connection.isHeld) this.#wait(request, response, connection);
      else this.#begin(request, response, connection);
    } catch (error) {
      this.#failed(error, response);
    }
  }

  #wait(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    connection.wait(
      () => this.#beginLater(request, response, connection),
      () => this.#refuseOverflow(request, response),
    );
  }

  /** Answers a request, or delays it until earlier answers have been read. */
  #begin(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    // While it waited, its body may have been refused, or its client may have gone.
    if (response.headersSent || request.socket.destroyed) return;
    // Node assigns the connection to an answer when it is the next to be sent.
    const unsent = response.socket === null ? this.#unsent.before(response) : undefined;
    if (unsent === undefined) {
      this.#options.serve(request, response, connection);
      return;
    }
    const release = connection.hold(() => this.#beginLater(request, response, connection));
    unsent.once('close', release);
  }

  #beginLater(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    try {
      this.#begin(request, response, connection);
    } catch (error) {
      this.#failed(error, response);
    }
  }

  /** The last answer of its connection: the handler may have left it in an unknown state. */
  #failed(error: unknown, response: ServerResponse): void {
    const { errors } = this.#options;
    errors.report('http', error);
    errors.contain('http', () => {
      response.shouldKeepAlive = false;
      if (response.headersSent) response.destroy();
      else refuse(response, new Fault('internalServerError', '', 'the log of the scanner says why'));
    });
  }

  /** The last answer of a connection on which too many requests came at once. */
  #refuseOverflow(request: IncomingMessage, response: ServerResponse): void {
    this.#options.traffic.countRefusal('rate');
    this.#overfull.refuse(request, response);
  }

  /** Takes a connection over, for a request that `takesUpgrade` has accepted. @param head bytes that followed it */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const { errors, events } = this.#options;
    const take = () => {
      if (isUnwanted(connection)) {
        // Node no longer listens to it.
        connection.on('error', () => connection.destroy());
        return;
      }
      this.#connections.noteRequest(request.socket);
      events.take(request, head);
    };
    errors.contain('http', take, () => connection.destroy());
  }

  #refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#admission.admits(request, response, this.#connections.of(request.socket))) return;
    this.#options.traffic.countRefusal('expectation');
    refuseExpectation(request, response);
  }

  /** Node hands the connection over, and errors need a listener. */
  #refuseTunnel(connection: Duplex): void {
    connection.on('error', () => connection.destroy());
    this.#options.traffic.countRefusal('broken');
    this.#broken.refuse(new TunnelWanted(), connection);
    connection.resume();
  }
}

/**
 * Does node emit `upgrade` for this request? Only its headers have been read. Called once for each request with such a
 * header, because the call counts it for the rate limit.
 */
export type TakesUpgrade = (request: IncomingMessage) => boolean;

/**
 * Class of requests for which node emits `upgrade` only if the upgrade is accepted. If the server has a listener for
 * `upgrade`, node emits it for every request with such a header, even for `h2c` with a body, and loses that body.
 * Requests that are dropped count as upgrades, too. Otherwise node would go on parsing all it has read into a thousand
 * requests or more, and would keep and abort each of them.
 */
export function requestsThat(takesUpgrade: TakesUpgrade): typeof IncomingMessage {
  return class extends IncomingMessage {
    /** Set by node from the headers, before a field of this class could be initialised. */
    declare wanted: boolean | null;
    declare taken: boolean | undefined;

    /** Node reads it when the headers are complete. The first read has a side effect: it decides and counts. */
    get upgrade(): boolean | null {
      // Node may parse on behind the end of a connection: then there is none.
      const socket: Duplex | null = this.socket;
      if (socket === null || isUnwanted(socket)) return true;
      if (this.wanted !== true || this.method === 'CONNECT') return this.wanted;
      this.taken ??= takesUpgrade(this);
      return this.taken;
    }

    set upgrade(wanted: boolean | null) {
      this.wanted = wanted;
    }
  };
}

/**
 * Answers of which the last one of a connection ends it only when its request is complete, or after 10 s. What the client still
 * sends is read and dropped: if the connection ended before, the system would reset it, and the client would lose the answer.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  constructor(request: Request) {
    super(request);
    // Runs before node ends the connection.
    this.once('finish', () => this.#awaitRequest());
  }

  #awaitRequest(): void {
    const { req, socket, shouldKeepAlive } = this;
    if (shouldKeepAlive || req.complete || socket === null || socket.destroyed) return;
    // Node calls it next.
    socket.destroySoon = () => {
      Reflect.deleteProperty(socket, 'destroySoon');
      endBehind(req, socket);
    };
  }
}

function endBehind(request: IncomingMessage, socket: Socket): void {
  const end = () => socket.destroySoon();
  const limit = setTimeout(end, longestDrain).unref();
  request.once('end', end).resume();
  socket.once('close', () => clearTimeout(limit));
}
