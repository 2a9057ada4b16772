import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { detailHeader, type Fault, type Status, statuses } from '@azimuth/model';
import { longestDetail, longestWaitForFlush } from './limits.js';

/**
 * JSON as it goes out. Kept as text: node sends a text in one piece with the header in front of it, and bytes in a
 * second one, which costs about a tenth of a whole request (2 µs). A large one goes as bytes, a piece at a time.
 */
export class JsonBody {
  readonly text: string;
  /** In bytes. */
  readonly length: number;
  readonly encoding: 'latin1' | 'utf8';
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
    this.length = Buffer.byteLength(text);
    // The same bytes for ASCII, and the quicker way to them.
    this.encoding = this.length === text.length ? 'latin1' : 'utf8';
  }

  /** Made once, for all who are sent it in pieces. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text, this.encoding);
    return this.#bytes;
  }

  toString(): string {
    return this.text;
  }
}

/** Bytes of an answer that a connection is given at a time; the next ones when it has taken these. */
export const pieceBytes = 32 * 1024;

/**
 * Ends an answer with these bytes. Of a large one no more than a piece waits at the connection, whoever reads it or
 * not, so that `body` may be shared by all who ask: TLS would copy the whole of it for each.
 */
export function endInPieces(response: ServerResponse, body: Uint8Array): void {
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  let at = 0;
  const goOn = () => {
    if (isForNobody(response)) return;
    if (body.length - at <= pieceBytes) {
      response.end(body.subarray(at));
      return;
    }
    const piece = body.subarray(at, at + pieceBytes);
    at += pieceBytes;
    // A connection that takes a piece at once drains at once: other connections and timers must not wait for all of it.
    if (response.write(piece)) setImmediate(goOn);
    else response.once('drain', () => setImmediate(goOn));
  };
  goOn();
}

/** Has the client of this answer gone? Then there is nothing to be made. */
export function isForNobody({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed;
}

/** No browser is to guess that an answer is a page. */
export const asDeclared = { 'X-Content-Type-Options': 'nosniff' };

/** Sends JSON with HTTP 200, and does `afterwards` once: when it is out, when nobody is left to read it, or in 100 ms. */
export function reply(response: ServerResponse, body: JsonBody, afterwards?: () => void): void {
  if (afterwards === undefined) {
    sendJson(response, 200, body);
    return;
  }
  // What comes afterwards may close this connection: the client is told not to count on it.
  response.shouldKeepAlive = false;
  sendJson(response, 200, body);
  onceOut(response, afterwards);
}

function onceOut(response: ServerResponse, act: () => void): void {
  // A response that waits behind others on its connection is not told when that goes.
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
 * Sends a refusal: its status, and where and why in words, except for status 4, which explains nothing. HTTP stays
 * 200 but for the few refusals that have a status of HTTP's own.
 */
export function refuse(response: ServerResponse, fault: Fault, httpStatus = 200): void {
  if (fault.status !== 'accessDenied') response.setHeader(detailHeader, encodeDetail(fault.message));
  sendJson(response, httpStatus, failureBody(fault.status));
}

/** Closes the connection instead of answering; answers in front of this one go out first. */
export function closeUnanswered(response: ServerResponse): void {
  // Node gives an answer its connection when it is the next to be sent.
  if (response.socket === null) response.once('socket', (socket: Socket) => socket.destroy());
  else response.socket.destroy();
}

/** Sends JSON outside `/api`, with an HTTP status of its own. */
export function replyJson(response: ServerResponse, status: number, json: unknown): void {
  sendJson(response, status, new JsonBody(`${JSON.stringify(json)}\n`));
}

function sendJson(response: ServerResponse, httpStatus: number, body: JsonBody): void {
  response.writeHead(httpStatus, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...asDeclared,
  });
  if (body.length <= pieceBytes) response.end(body.text, body.encoding);
  else endInPieces(response, body.bytes);
}

/** Sends text outside `/api`, with an HTTP status of its own. */
export function replyText(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(`${text}\n`);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
    ...asDeclared,
  });
  response.end(body);
}

/** Sends a refusal in words, with HTTP 403, to whatever path: who is refused so expects no JSON. */
export function replyForbidden(response: ServerResponse, why: string): void {
  response.setHeader(detailHeader, encodeDetail(why));
  replyText(response, 403, why);
}

/** Says in words that a path beside the interface leads nowhere. */
export function replyNothing(response: ServerResponse, path: string): void {
  replyText(response, 404, `Nothing is at ${path.slice(0, 200)}; the interface is under /api/`);
}

const failureBodies = new Map<Status, JsonBody>();

/** A failed reply: the header alone. */
export function failureBody(status: Status): JsonBody {
  let body = failureBodies.get(status);
  if (body === undefined) {
    const { code, message } = statuses[status];
    body = new JsonBody(JSON.stringify({ header: { status: code, message } }));
    failureBodies.set(status, body);
  }
  return body;
}

/** A detail as a header can carry it: printable ASCII as it is, all else percent-encoded UTF-8. */
export function encodeDetail(detail: string): string {
  let encoded = '';
  for (const byte of Buffer.from(detail.slice(0, longestDetail))) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded.trim();
}
