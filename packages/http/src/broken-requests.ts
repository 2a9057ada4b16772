import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AlreadyRefused, builtInProduct, Refusal } from '@azimuth/model';
import type { RequestContext } from './connection.js';
import type { Connections } from './connections.js';
import { type HeaderNames, ownHeadersNamed } from './header-names.js';
import { closeAfter, endWith, headText } from './last-responses.js';
import { mostOverfull, mostWaitingRequests, overfullLinger } from './limits.js';
import { encodeDetail, envelopeOf, type RefusalBody, refuse } from './responses.js';

/** Node's error code for a request that exceeds a limit of `Timeouts`. */
const overdue = 'ERR_HTTP_REQUEST_TIMEOUT';

const reasons: Readonly<Record<string, readonly [status: number, why: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the extensions of a chunk are too large'],
  [overdue]: [408, 'the request took too long to come'],
  TUNNEL_WANTED: [400, 'the scanner is not a proxy'],
  BROKEN_OFF: [400, 'the request ends before its body does'],
};

/** Error for a client that uses the scanner as a proxy (CONNECT). */
export class TunnelWanted extends Error {
  override readonly name = 'TunnelWanted';
  readonly code = 'TUNNEL_WANTED';
}

/** Error for a client that closed its sending side in the middle of a request. */
class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
  readonly code = 'BROKEN_OFF';
}

/**
 * Refuses bytes that node's parser does not accept as HTTP, and closes the connection. The refusal has status 1 and the
 * HTTP status that node uses for it. Its body is JSON, because clients of the interface always expect JSON. If the
 * error follows a valid request, the refusal is sent after the response to it.
 */
export class BrokenRequests {
  readonly #connections: Connections;
  readonly #bodyOf: RefusalBody;
  readonly #names: HeaderNames;

  constructor(
    connections: Connections,
    bodyOf: RefusalBody = envelopeOf,
    names: HeaderNames = builtInProduct,
  ) {
    this.#connections = connections;
    this.#bodyOf = bodyOf;
    this.#names = names;
  }

  /**
   * Handles the end of what the client sends. Node reports this for an unfinished request, but not if the request asks
   * for an upgrade.
   */
  ended(connection: Duplex): void {
    const { latest } = this.#connections.of(connection);
    if (latest !== undefined && !latest.req.complete) this.refuse(new BrokenOff(), connection);
  }

  /**
   * Returns true if this overdue request may go on. It may if it waits behind another one, because nothing was read
   * meanwhile, or if it is a long upload that keeps its minimum rate.
   */
  excuses(error: NodeJS.ErrnoException, connection: Duplex): boolean {
    const { latest, isHeld, longRequest } = this.#connections.of(connection);
    if (error.code !== overdue || latest === undefined) return false;
    return latest.req.complete ? isHeld : latest.req === longRequest && !latest.headersSent;
  }

  refuse(error: NodeJS.ErrnoException, connection: Duplex): void {
    const known = this.#connections.of(connection);
    if (known.isBroken) return;
    if (!connection.writable) {
      connection.destroy();
      return;
    }
    known.isBroken = true;
    const [status, why] = reasons[error.code ?? ''] ?? [400, 'this is not HTTP'];
    const refusal = new Refusal('parsingFailed', '', why);
    const { latest } = known;
    const text = refusalText(status, refusal, this.#bodyOf, this.#names);
    if (latest === undefined) endWith(connection, text);
    else if (latest.req.complete) refuseBehind(latest, connection, text);
    else refuseInstead(latest, connection, refusal, status, this.#bodyOf);
  }
}

/** Responds to a request with `Expect: …` with HTTP 417. Only 100-continue is supported. */
export function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  bodyOf: RefusalBody = envelopeOf,
): void {
  request.resume();
  refuse(response, new Refusal('parsingFailed', '', 'only 100-continue is supported'), 417, bodyOf);
}

/** The error follows a complete request. If that request closes the connection, nothing after it matters. */
function refuseBehind(latest: ServerResponse, connection: Duplex, text: string): void {
  if (!latest.shouldKeepAlive) return;
  if (latest.writableFinished) endWith(connection, text);
  else latest.once('close', () => endWith(connection, text));
}

/**
 * The error is in the body of this request. The refusal is the response to it, unless a response has already been sent.
 */
function refuseInstead(
  latest: ServerResponse,
  connection: Duplex,
  refusal: Refusal,
  status: number,
  bodyOf: RefusalBody,
): void {
  if (latest.headersSent) {
    endWith(connection);
    return;
  }
  latest.shouldKeepAlive = false;
  // Node drops a request that was responded to before its end, so its reader would never get an event.
  latest.once('close', () => latest.req.destroy());
  refuse(latest, refusal, status, bodyOf);
  failFurther(latest);
}

/**
 * Lets the handler of a request end at what it sends after the refusal of the request. The handler has begun when the headers
 * came, and may wait for a file or a device. Node would throw, too, but not an error that tells it from a mistake.
 */
function failFurther(response: ServerResponse): void {
  const fail = (): never => {
    throw new AlreadyRefused();
  };
  Object.assign(response, {
    ...{ setHeader: fail, setHeaders: fail, appendHeader: fail, removeHeader: fail },
    ...{ writeHead: fail, write: fail, end: fail },
  });
}

function refusalText(status: number, refusal: Refusal, bodyOf: RefusalBody, names: HeaderNames): string {
  const body = bodyOf(refusal);
  const own = ownHeadersNamed(names);
  const detail = own === undefined ? [] : [own.detail, encodeDetail(refusal.message)];
  const head = ['Date', new Date().toUTCString(), ...detail];
  return headText(status, [...head, ...body.headers, 'Connection', 'close']) + body.text;
}

/**
 * Connections on which too many requests came at once. Node stores all of these requests until the connection closes.
 * So only a few connections may stay open until their clients have read the last response, and only briefly.
 */
export class OverfullConnections {
  readonly #bodyOf: RefusalBody;
  #lingering = 0;

  constructor(bodyOf: RefusalBody = envelopeOf) {
    this.#bodyOf = bodyOf;
  }

  /** Refuses the first request of a connection above the number of requests: HTTP 429, the last response there. */
  refuse({ request, connection }: RequestContext, response: ServerResponse): void {
    const { socket } = request;
    if (this.#lingering >= mostOverfull) {
      socket.destroy();
      return;
    }
    this.#lingering++;
    connection.isOverfull = true;
    closeAfter(socket, overfullLinger);
    socket.once('close', () => this.#lingering--);
    const why = `more than ${mostWaitingRequests} requests wait on this connection; the requests after this one are not handled`;
    response.setHeader('Retry-After', 1);
    response.shouldKeepAlive = false;
    request.resume();
    refuse(response, new Refusal('outOfConnections', '', why), 429, this.#bodyOf);
  }
}
