import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Refusal } from '@azimuth/model';
import { type Admission, pathOf } from './admission.js';
import { BrokenRequests, OverfullConnections, refuseExpectation, TunnelWanted } from './broken-requests.js';
import { RequestContext } from './connection.js';
import type { Connections } from './connections.js';
import type { ErrorReport, PortClock, PortPlace } from './interfaces.js';
import { type ChosenTimeouts, longestDrain, requestsPerClockUpdate } from './limits.js';
import { type Certificate, httpListener, httpsListener } from './listener.js';
import type { SharedLimit } from './network/shared-limit.js';
import type { Closable } from './network/sockets.js';
import { NewConnections } from './new-connections.js';
import type { PortDrain } from './port-drain.js';
import { type RefusalBody, refuse } from './responses.js';
import type { Traffic } from './traffic.js';
import { UnsentResponses } from './unsent-responses.js';

/** Takes over connections that become WebSockets. */
interface Upgrades {
  isAt(path: string, context: RequestContext): boolean;
  /** @param head bytes that followed the request */
  take(context: RequestContext, socket: Duplex, head: Buffer): void | Promise<void>;
}

export interface HttpPortOptions {
  readonly errors: ErrorReport;
  /** Where errors of requests come up; by default, in HTTP. */
  readonly place?: PortPlace;
  readonly clock?: Pick<PortClock, 'catchUp'>;
  readonly connections: Connections;
  /** Who is served. */
  readonly admission: Admission;
  readonly counts?: Traffic;
  /** Answers a request, at once or while it holds the connection. */
  readonly serve: (context: RequestContext, response: ServerResponse) => void;
  /** Undefined if there are no WebSockets. */
  readonly upgrades?: Upgrades;
  /** Bytes of unsent replies of all ports of the process. */
  readonly unsentReplyBytes?: SharedLimit | undefined;
  /** Undefined for a port that ends at once. */
  readonly drain?: PortDrain;
  /** How requests that are not HTTP, or too many, are refused; by default, in the envelope of the interface. */
  readonly refusalBody?: RefusalBody;
}

/**
 * Serves the requests of any number of listeners, and those that other ports hand over. It admits them, and answers those of one
 * connection in order.
 */
export class HttpPort {
  readonly #options: HttpPortOptions;
  readonly #place: PortPlace;
  readonly #broken: BrokenRequests;
  readonly #newConnections: NewConnections;
  readonly #unsent: UnsentResponses;
  readonly #overfull: OverfullConnections;
  #received = 0;

  constructor(options: HttpPortOptions) {
    const {
      clock,
      connections,
      errors,
      counts,
      unsentReplyBytes,
      place = 'http',
      refusalBody: faultBody,
    } = options;
    this.#options = options;
    this.#place = place;
    this.#unsent = new UnsentResponses(unsentReplyBytes);
    this.#broken = new BrokenRequests(connections, faultBody);
    this.#overfull = new OverfullConnections(faultBody);
    this.#newConnections = new NewConnections({
      clock,
      counts,
      connections,
      broken: this.#broken,
      errors,
      place,
    });
  }

  /** A listener of this port, which the caller opens and closes. */
  listener(timeouts?: ChosenTimeouts): Server & Closable {
    const listener = httpListener(this.#classes, timeouts);
    this.#newConnections.watch(listener);
    return this.#serve(listener);
  }

  /** The same behind TLS. */
  secureListener(certificate: Certificate, timeouts?: ChosenTimeouts): SecureServer & Closable {
    const listener = httpsListener(this.#classes, certificate, timeouts);
    this.#newConnections.watchSecure(listener);
    return this.#serve(listener);
  }

  readonly #classes = {
    IncomingMessage: requestsThat({
      takes: (request) => this.takesUpgrade(this.#contextOf(request)),
      drops: (connection) => this.#options.connections.of(connection).isUnwanted,
    }),
    ServerResponse: Answer,
  };

  /** Is this request upgraded to a WebSocket? Called once for each, because it counts. */
  takesUpgrade(context: RequestContext): boolean {
    const { method, headers, url = '' } = context.request;
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
    const { upgrades, admission } = this.#options;
    return upgrades?.isAt(pathOf(url), context) === true && admission.admitsUpgrade(context);
  }

  /** Requests of all listeners so far, also those that were refused. */
  get received(): number {
    return this.#received;
  }

  #serve<S extends Server | SecureServer>(listener: S): S {
    const { errors, drain } = this.#options;
    const contain = (act: () => void, connection: Duplex | ServerResponse) =>
      errors.contain(this.#place, act, () => connection.destroy());
    drain?.watch(listener);
    listener.on('request', (request, response) => this.#take(request, response));
    listener.on('upgrade', (request, connection, head) =>
      this.upgrade(this.#contextOf(request), connection, head),
    );
    listener.on('checkExpectation', (request, response) =>
      contain(() => this.#refuseExpectation(request, response), response),
    );
    listener.on('connect', (_, connection) => contain(() => this.#refuseTunnel(connection), connection));
    return listener;
  }

  #contextOf(request: IncomingMessage): RequestContext {
    return new RequestContext(request, this.#options.connections.of(request.socket));
  }

  #noted(request: IncomingMessage, response: ServerResponse): RequestContext {
    const connection = this.#options.connections.of(request.socket);
    connection.note(response);
    return new RequestContext(request, connection);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const context = this.#noted(request, response);
    const { drain } = this.#options;
    if (drain === undefined) this.receive(context, response);
    else drain.take(request, response, () => this.receive(context, response));
  }

  /** Answers a request. It may have come to a listener of another port. */
  receive(context: RequestContext, response: ServerResponse): void {
    try {
      const { admission, clock } = this.#options;
      // 64 KiB read at once may hold 1500 requests, and hundreds of connections may have sent one each.
      if (++this.#received % requestsPerClockUpdate === 0) clock?.catchUp();
      if (!admission.admits(context, response)) return;
      if (context.isHeld) this.#wait(context, response);
      else this.#begin(context, response);
    } catch (error) {
      this.#failed(error, response);
    }
  }

  #wait(context: RequestContext, response: ServerResponse): void {
    context.wait(
      () => this.#beginLater(context, response),
      () => this.#refuseOverflow(context, response),
    );
  }

  /** Answers a request, or delays it until earlier answers have been read. */
  #begin(context: RequestContext, response: ServerResponse): void {
    // While it waited, its body may have been refused, or its client may have gone.
    if (response.headersSent || context.request.socket.destroyed) return;
    // Node assigns the connection to an answer when it is the next to be sent.
    const unsent = response.socket === null ? this.#unsent.before(response) : undefined;
    if (unsent === undefined) {
      this.#options.serve(context, response);
      return;
    }
    const release = context.hold(() => this.#beginLater(context, response));
    unsent.once('close', release);
  }

  #beginLater(context: RequestContext, response: ServerResponse): void {
    try {
      this.#begin(context, response);
    } catch (error) {
      this.#failed(error, response);
    }
  }

  /** The last answer of its connection: the handler may have left it in an unknown state. */
  #failed(error: unknown, response: ServerResponse): void {
    const { errors, refusalBody: faultBody } = this.#options;
    errors.report(this.#place, error);
    errors.contain(this.#place, () => {
      response.shouldKeepAlive = false;
      if (response.headersSent) response.destroy();
      else refuse(response, unexpected, faultBody === undefined ? 200 : 500, faultBody);
    });
  }

  /** The last answer of a connection on which too many requests came at once. */
  #refuseOverflow(context: RequestContext, response: ServerResponse): void {
    this.#options.counts?.countRefusal('rate');
    this.#overfull.refuse(context, response);
  }

  /** Takes a connection over, for a request that `takesUpgrade` has accepted. @param head bytes that followed it */
  upgrade(context: RequestContext, connection: Duplex, head: Buffer): void {
    const { errors, upgrades, drain } = this.#options;
    const take = () => {
      // Node calls this, too, for requests that follow a last answer, and for what it has read of a connection that has ended.
      if (context.connection.isUnwanted) {
        // Node no longer listens to it.
        connection.on('error', () => connection.destroy());
        return undefined;
      }
      context.connection.used?.();
      const taken = upgrades?.take(context, connection, head);
      return taken instanceof Promise && drain !== undefined ? drain.join(taken) : taken;
    };
    errors.contain(this.#place, take, () => connection.destroy());
  }

  #refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    const context = this.#noted(request, response);
    if (!this.#options.admission.admits(context, response)) return;
    this.#options.counts?.countRefusal('expectation');
    refuseExpectation(request, response, this.#options.refusalBody);
  }

  /** Node hands the connection over, and errors need a listener. */
  #refuseTunnel(connection: Duplex): void {
    connection.on('error', () => connection.destroy());
    this.#options.counts?.countRefusal('broken');
    this.#broken.refuse(new TunnelWanted(), connection);
    connection.resume();
  }
}

const unexpected = new Refusal('internalServerError', '', 'the log of the scanner says why');

/** Decides what becomes of requests of which only the headers have been read. */
interface Upgrading {
  /** Does node emit `upgrade` for this request? Called once for each request with such a header, because the call counts it. */
  takes(request: IncomingMessage): boolean;
  /** Are further requests of this connection dropped? */
  drops(connection: Duplex): boolean;
}

/**
 * Class of requests for which node emits `upgrade` only if the upgrade is accepted. If the server has a listener for
 * `upgrade`, node emits it for every request with such a header, even for `h2c` with a body, and loses that body.
 * Requests that are dropped count as upgrades, too. Otherwise node would go on parsing all it has read into a thousand
 * requests or more, and would keep and abort each of them.
 */
function requestsThat(upgrading: Upgrading): typeof IncomingMessage {
  return class extends IncomingMessage {
    /** Set by node from the headers, before a field of this class could be initialised. */
    declare wanted: boolean | null;
    declare taken: boolean | undefined;

    /** Node reads it when the headers are complete. The first read has a side effect: it decides and counts. */
    get upgrade(): boolean | null {
      // Node may parse on behind the end of a connection: then there is none.
      const socket: Duplex | null = this.socket;
      if (socket === null || upgrading.drops(socket)) return true;
      if (this.wanted !== true || this.method === 'CONNECT') return this.wanted;
      this.taken ??= upgrading.takes(this);
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
class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
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
