import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, type Status, statuses } from '@azimuth/model';
import { defer, runOrDefer } from './event-loop-turns.js';
import { ownHeadersOf } from './header-names.js';
import { longestDetail, longestWaitForFlush, pieceBytes } from './limits.js';

/** Header that keeps browsers from guessing that a response is a page. */
export const asDeclared = { 'X-Content-Type-Options': 'nosniff' };

const declaredAsList = Object.entries(asDeclared).flat();

/**
 * JSON in the form in which it is sent. A small body stays a string: node sends a string together with the header in
 * one write, and bytes in a second one, which costs about a tenth of a request (2 µs). A large body is sent as bytes,
 * in pieces.
 */
export class JsonBody {
  readonly text: string;
  /** Length in bytes. */
  readonly length: number;
  readonly encoding: 'latin1' | 'utf8';
  /** Names and values alternate: node writes this form with the least work. */
  readonly headers: OutgoingHttpHeader[];
  #bytes: Buffer | undefined;

  /** @param length of the text in bytes, if it is known: counting takes longer than sending a text of several parts */
  constructor(text: string, length = Buffer.byteLength(text)) {
    this.text = text;
    this.length = length;
    // For ASCII the bytes are the same, and this conversion is faster.
    this.encoding = this.length === text.length ? 'latin1' : 'utf8';
    this.headers = ['Content-Type', 'application/json', 'Content-Length', this.length, ...declaredAsList];
  }

  /** Built once and shared by all clients that it is sent to in pieces. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text, this.encoding);
    return this.#bytes;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * Ends a response with these bytes. At most one piece of a large response waits at the connection, so all requests can
 * share `body`. TLS would copy the whole body for each request.
 */
export function endInPieces(response: ServerResponse, body: Uint8Array): void {
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  let at = 0;
  const goOn = () => {
    if (isClientClosed(response)) return;
    if (body.length - at <= pieceBytes) {
      response.end(body.subarray(at));
      return;
    }
    const piece = body.subarray(at, at + pieceBytes);
    at += pieceBytes;
    // If a connection accepts a piece at once, it also drains at once. Other connections and timers must not wait for
    // the whole body, and not for a piece of each of a thousand.
    if (response.write(piece)) defer(goOn);
    else response.once('drain', () => defer(goOn));
  };
  if (body.length <= pieceBytes) goOn();
  else runOrDefer(goOn);
}

/** Returns true if the client of this response has closed its connection. The response then need not be built. */
export function isClientClosed({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed;
}

/**
 * Sends JSON with HTTP 200. Then it calls `afterwards` once: when the response is sent, when the client has closed its
 * connection, or after 100 ms.
 */
export function respond(response: ServerResponse, body: JsonBody, afterwards?: () => void): void {
  if (afterwards === undefined) {
    sendJson(response, 200, body);
    return;
  }
  // `afterwards` may close this connection, so the client must not reuse it.
  response.shouldKeepAlive = false;
  sendJson(response, 200, body);
  onceSent(response, afterwards);
}

function onceSent(response: ServerResponse, act: () => void): void {
  // A response that waits behind others gets no event when its connection closes.
  if (response.destroyed || response.req.socket.destroyed) {
    act();
    return;
  }
  const out = () => {
    clearTimeout(timer);
    response.off('close', out);
    act();
  };
  const timer = setTimeout(out, longestWaitForFlush).unref();
  response.once('close', out);
}

/**
 * Sends a refusal: its status, and its detail, except for status 4, which explains nothing. The HTTP status is 200,
 * except for the few refusals that have an HTTP status of their own.
 */
export function refuse(
  response: ServerResponse,
  refusal: Refusal,
  httpStatus = 200,
  bodyOf: RefusalBody = envelopeOf,
): void {
  if (refusal.status !== 'accessDenied') setDetail(response, refusal.message);
  sendJson(response, httpStatus, bodyOf(refusal));
}

/** Sets the header with the place and the reason of a refusal, on a port that has such a header. */
export function setDetail(response: ServerResponse, detail: string): void {
  const own = ownHeadersOf(response);
  if (own !== undefined) response.setHeader(own.detail, encodeDetail(detail));
}

/** Makes the body of a response from a refusal. */
export type RefusalBody = (refusal: Refusal) => JsonBody;

/** Refusal in the envelope of the interface, which clients of `/api` always expect. */
export function envelopeOf(refusal: Refusal): JsonBody {
  return failureBody(refusal.status);
}

/** Refusal in one line of text, for a port that is not the interface. */
export function errorLineOf(refusal: Refusal): JsonBody {
  return new JsonBody(`${JSON.stringify({ error: refusal.message })}\n`);
}

/** Closes the connection instead of responding. Responses to earlier requests are sent first. */
export function closeUnanswered(response: ServerResponse): void {
  // Node assigns the connection to the response that is sent next.
  if (response.socket === null) response.once('socket', (socket: Socket) => socket.destroy());
  else response.socket.destroy();
}

/**
 * Sends JSON outside `/api`, with an HTTP status of its own. An unread rest of the body would keep the connection open.
 */
export function respondJson(response: ServerResponse, status: number, json: unknown): void {
  response.req.resume();
  sendJson(response, status, new JsonBody(`${JSON.stringify(json)}\n`));
}

/** Sends JSON in the form in which it is cached. */
function sendJson(response: ServerResponse, httpStatus: number, body: JsonBody): void {
  response.writeHead(httpStatus, body.headers);
  if (body.length <= pieceBytes) response.end(body.text, body.encoding);
  else endInPieces(response, body.bytes);
}

/** Sends cached content outside `/api` in pieces: many responses may share it. A response to HEAD has its length only. */
export function sendBytes(response: ServerResponse, mediaType: string, body: Uint8Array): void {
  response.writeHead(200, { 'Content-Type': mediaType, 'Content-Length': body.length, ...asDeclared });
  endInPieces(response, body);
}

/**
 * Sends text outside `/api`, with an HTTP status of its own. A response that has begun is broken off, and one that has
 * ended stays as it is.
 */
export function respondText(response: ServerResponse, status: number, text: string): void {
  if (response.writableEnded) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.req.resume();
  const body = Buffer.from(`${text}\n`);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
    ...asDeclared,
  });
  response.end(body);
}

/** Sends a refusal as text with HTTP 403, whatever the path. Clients that are refused here do not expect JSON. */
export function respondForbidden(response: ServerResponse, why: string): void {
  setDetail(response, why);
  respondText(response, 403, why);
}

/** Responds as text that a path outside the interface does not exist. */
export function respondNotFound(response: ServerResponse, path: string): void {
  respondText(response, 404, `Nothing is at ${path.slice(0, 200)}; the interface is under /api/`);
}

const failureBodies = new Map<Status, JsonBody>();

/** Envelope of a response with an error: only the header. */
export function failureBody(status: Status): JsonBody {
  let body = failureBodies.get(status);
  if (body === undefined) {
    const { code, message } = statuses[status];
    body = new JsonBody(JSON.stringify({ header: { status: code, message } }));
    failureBodies.set(status, body);
  }
  return body;
}

/** Encodes a detail for a header: printable ASCII unchanged, everything else as percent-encoded UTF-8. */
export function encodeDetail(detail: string): string {
  let encoded = '';
  for (const byte of Buffer.from(detail.slice(0, longestDetail))) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded.trim();
}

export const policyHeader = 'Content-Security-Policy';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * A response whose head has a content security policy beside its other headers. If a header were set before, Node would
 * check and copy all of them one by one: a tenth of a read.
 */
export class ResponseWithPolicy<
  Request extends ServerResponse['req'] = ServerResponse['req'],
> extends ServerResponse<Request> {
  /** Headers of its own win. Undefined for no policy. */
  policy: string | undefined;

  override writeHead(status: number, reason?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, first?: string | Headers, second?: Headers): this {
    if (typeof first === 'string') return super.writeHead(status, first, this.#withPolicy(second));
    return super.writeHead(status, this.#withPolicy(first));
  }

  #withPolicy(headers: Headers | undefined): Headers | undefined {
    if (this.policy === undefined) return headers;
    if (!Array.isArray(headers)) return { [policyHeader]: this.policy, ...headers };
    return headers.includes(policyHeader) ? headers : [...headers, policyHeader, this.policy];
  }
}
