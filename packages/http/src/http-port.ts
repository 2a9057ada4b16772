import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Refusal } from '@azimuth/model';
import { type Admission, pathOf } from './admission.js';
import { BrokenRequests, OverfullConnections, refuseExpectation, TunnelWanted } from './broken-requests.js';
import { RequestContext } from './connection.js';
import type { Connections } from './connections.js';
import { type HeaderNames, nameHeaders } from './header-names.js';
import type { ErrorReport, ErrorSource, PortClock } from './interfaces.js';
import { type ChosenTimeouts, longestDrain, requestsPerClockUpdate } from './limits.js';
import { type Certificate, httpListener, httpsListener } from './listener.js';
import type { SharedLimit } from './network/shared-limit.js';
import type { Closable } from './network/sockets.js';
import { NewConnections } from './new-connections.js';
import type { PortDrain } from './port-drain.js';
import { type RefusalBody, ResponseWithPolicy, refuse } from './responses.js';
import type { Traffic } from './traffic.js';
import { UnsentResponses } from './unsent-responses.js';

/** Takes over connections that become WebSockets. */
interface Upgrades {
  isAt(path: string, context: RequestContext): boolean;
  /** @param head bytes that followed the request */
  accept(context: RequestContext, socket: Duplex, head: Buffer): void | Promise<void>;
}

export interface HttpPortOptions {
  readonly errors: ErrorReport;
  /** Source of errors of requests; by default HTTP. */
  readonly source?: ErrorSource;
  readonly clock?: Pick<PortClock, 'catchUp'>;
  readonly connections: Connections;
  /** Decides which requests are served. */
  readonly admission: Admission;
  readonly counts?: Traffic;
  /** Responds to a request, at once or while it holds the connection. */
  readonly serve: (context: RequestContext, response: ServerResponse) => void;
  /** Undefined if there are no WebSockets. */
  readonly upgrades?: Upgrades;
  /** Limit of the bytes of unsent responses of all ports of the process. */
  readonly unsentResponseBytes?: SharedLimit | undefined;
  /** Undefined for a port that ends at once. */
  readonly drain?: PortDrain;
  /** Body of refusals of requests that are not HTTP, or too many. By default, it is the envelope of the interface. */
  readonly refusalBody?: RefusalBody;
  /** Names of its headers; undefined for those of the built-in product. */
  readonly headerNames?: HeaderNames | undefined;
}

/**
 * Serves the requests of any number of listeners, and those that other ports hand over. It admits them, and responds to
 * those of one connection in order.
 */
export class HttpPort {
  readonly #options: HttpPortOptions;
  readonly #source: ErrorSource;
  readonly #broken: BrokenRequests;
  readonly #newConnections: NewConnections;
  readonly #unsent: UnsentResponses;
  readonly #overfull: OverfullConnections;
  #received = 0;

  constructor(options: HttpPortOptions) {
    const { clock, connections, errors, counts, unsentResponseBytes, source = 'http', refusalBody } = options;
    this.#options = options;
    this.#source = source;
    this.#unsent = new UnsentResponses(unsentResponseBytes);
    this.#broken = new BrokenRequests(connections, refusalBody, options.headerNames);
    this.#overfull = new OverfullConnections(refusalBody);
    this.#newConnections = new NewConnections({
      clock,
      counts,
      connections,
      broken: this.#broken,
      errors,
      source,
    });
  }

  /** Makes a listener of this port. The caller opens and closes it. */
  listener(timeouts?: ChosenTimeouts): Server & Closable {
    const listener = httpListener(this.#classes, timeouts);
    this.#newConnections.watch(listener);
    return this.#serve(listener);
  }

  /** Makes a listener with TLS. */
  secureListener(certificate: Certificate, timeouts?: ChosenTimeouts): SecureServer & Closable {
    const listener = httpsListener(this.#classes, certificate, timeouts);
    this.#newConnections.watchSecure(listener);
    return this.#serve(listener);
  }

  readonly #classes = {
    IncomingMessage: requestsThat({
      accepts: (request) => this.acceptsUpgrade(this.#contextOf(request)),
      drops: (connection) => this.#options.connections.of(connection).dropsRequests,
    }),
    ServerResponse: PortResponse,
  };

  /**
   * Returns true if this request is upgraded to a WebSocket. Called once for each request, because the call counts it.
   */
  acceptsUpgrade(context: RequestContext): boolean {
    const { method, headers, url = '' } = context.request;
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
    const { upgrades, admission } = this.#options;
    return upgrades?.isAt(pathOf(url), context) === true && admission.admitsUpgrade(context);
  }

  /** Number of requests of all listeners so far, also those that were refused. */
  get received(): number {
    return this.#received;
  }

  #serve<S extends Server | SecureServer>(listener: S): S {
    const { errors, drain } = this.#options;
    const contain = (act: () => void, connection: Duplex | ServerResponse) =>
      errors.contain(this.#source, act, () => connection.destroy());
    drain?.watch(listener);
    listener.on('request', (request, response) => this.#handle(request, response));
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

  #register(request: IncomingMessage, response: ServerResponse): RequestContext {
    const connection = this.#options.connections.of(request.socket);
    connection.register(response);
    return new RequestContext(request, connection);
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const context = this.#register(request, response);
    const { drain } = this.#options;
    if (drain === undefined) this.receive(context, response);
    else drain.accept(request, response, () => this.receive(context, response));
  }

  /** Responds to a request. It may have come to a listener of another port. */
  receive(context: RequestContext, response: ServerResponse): void {
    try {
      const { admission, clock } = this.#options;
      this.#nameHeaders(response);
      // 64 KiB read at once may hold 1500 requests, and hundreds of connections may have sent one each.
      if (++this.#received % requestsPerClockUpdate === 0) clock?.catchUp();
      if (!admission.admits(context, response)) return;
      if (context.isHeld) this.#wait(context, response);
      else this.#begin(context, response);
    } catch (error) {
      this.#failed(error, response);
    }
  }

  #nameHeaders(response: ServerResponse): void {
    const { headerNames } = this.#options;
    if (headerNames !== undefined) nameHeaders(response, headerNames);
  }

  #wait(context: RequestContext, response: ServerResponse): void {
    context.wait(
      () => this.#beginLater(context, response),
      () => this.#refuseOverflow(context, response),
    );
  }

  /** Responds to a request, or delays it until earlier responses have been read. */
  #begin(context: RequestContext, response: ServerResponse): void {
    // Meanwhile, its body may have been refused, or its client may have closed the connection.
    if (response.headersSent || context.request.socket.destroyed) return;
    // Node assigns the connection to the response that is sent next.
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

  /** Sends the last response of its connection: the handler may have left it in an unknown state. */
  #failed(error: unknown, response: ServerResponse): void {
    const { errors, refusalBody } = this.#options;
    errors.report(this.#source, error);
    errors.contain(this.#source, () => {
      response.shouldKeepAlive = false;
      if (response.headersSent) response.destroy();
      else refuse(response, unexpected, refusalBody === undefined ? 200 : 500, refusalBody);
    });
  }

  /** Sends the last response of a connection on which too many requests came at once. */
  #refuseOverflow(context: RequestContext, response: ServerResponse): void {
    this.#options.counts?.countRefusal('rate');
    this.#overfull.refuse(context, response);
  }

  /** Takes a connection over, for a request that `acceptsUpgrade` has accepted. @param head bytes that followed it */
  upgrade(context: RequestContext, connection: Duplex, head: Buffer): void {
    const { errors, upgrades, drain } = this.#options;
    const takeOver = () => {
      // Node also calls this for requests that follow a last response, and for data of a connection that has ended.
      if (context.connection.dropsRequests) {
        // Node no longer listens to its errors.
        connection.on('error', () => connection.destroy());
        return undefined;
      }
      context.connection.used?.();
      const accepted = upgrades?.accept(context, connection, head);
      return accepted instanceof Promise && drain !== undefined ? drain.join(accepted) : accepted;
    };
    errors.contain(this.#source, takeOver, () => connection.destroy());
  }

  #refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    const context = this.#register(request, response);
    this.#nameHeaders(response);
    if (!this.#options.admission.admits(context, response)) return;
    this.#options.counts?.countRefusal('expectation');
    refuseExpectation(request, response, this.#options.refusalBody);
  }

  /** Refuses CONNECT. Node hands the connection over, and its errors need a listener. */
  #refuseTunnel(connection: Duplex): void {
    connection.on('error', () => connection.destroy());
    this.#options.counts?.countRefusal('broken');
    this.#broken.refuse(new TunnelWanted(), connection);
    connection.resume();
  }
}

const unexpected = new Refusal('internalServerError', '', 'the log of the scanner says why');

/** Decides about requests when only their headers have been read. */
interface Upgrading {
  /**
   * Returns true if node emits `upgrade` for this request. Called once for each request with such a header, because the
   * call counts it.
   */
  accepts(request: IncomingMessage): boolean;
  /** Returns true if further requests of this connection are dropped. */
  drops(connection: Duplex): boolean;
}

/**
 * Makes a class of requests for which node emits `upgrade` only if the upgrade is accepted. If the server has a
 * listener for `upgrade`, node emits it for every request with such a header, even for `h2c` with a body, and loses
 * that body. Requests that are dropped count as upgrades, too. Otherwise node would go on parsing all it has read, into
 * a thousand requests or more, and would store and abort each of them.
 */
function requestsThat(upgrading: Upgrading): typeof IncomingMessage {
  return class extends IncomingMessage {
    /** Set by node from the headers, before a field of this class could be initialised. */
    declare requested: boolean | null;
    declare accepted: boolean | undefined;

    /** Node reads it when the headers are complete. The first read has a side effect: it decides and counts. */
    get upgrade(): boolean | null {
      // Node may go on parsing after the end of a connection. There is no socket then.
      const socket: Duplex | null = this.socket;
      if (socket === null || upgrading.drops(socket)) return true;
      if (this.requested !== true || this.method === 'CONNECT') return this.requested;
      this.accepted ??= upgrading.accepts(this);
      return this.accepted;
    }

    set upgrade(requested: boolean | null) {
      this.requested = requested;
    }
  };
}

/**
 * A response that, if it is the last one of a connection, ends the connection only when its request is complete, or
 * after 10 s. The rest of the request is read and dropped. If the connection ended earlier, the system would reset it,
 * and the client would lose the response.
 */
class PortResponse<Request extends IncomingMessage = IncomingMessage> extends ResponseWithPolicy<Request> {
  /** Called by node when the response has been sent, before it ends the connection. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    if (!this.shouldKeepAlive) this.#awaitRequest(socket);
  }

  #awaitRequest(socket: Socket): void {
    const { req } = this;
    if (req.complete || socket.destroyed) return;
    // Node calls destroySoon next.
    socket.destroySoon = () => {
      Reflect.deleteProperty(socket, 'destroySoon');
      endAfterRequest(req, socket);
    };
  }
}

function endAfterRequest(request: IncomingMessage, socket: Socket): void {
  const end = () => socket.destroySoon();
  const limit = setTimeout(end, longestDrain).unref();
  request.once('end', end).resume();
  socket.once('close', () => clearTimeout(limit));
}
