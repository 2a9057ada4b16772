import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { headOfAnswer, headOfWebSocket, NoAnswer, replyText, requestHeaders } from '@azimuth/http';
import { contentAt } from '@azimuth/server/pages';

/** ms for an answer of the scanner to begin; file transfers may take longer once bytes move. */
const answerWithin = 60_000;

/**
 * Forwards requests and WebSockets to one scanner, whoever it belongs to: it gets the headers that a scanner needs, and what it
 * answers is data for the pages, and never a page.
 */
export class Forwarding {
  readonly #base: URL;

  /** @param url the scanner, without a slash at its end */
  constructor(readonly url: string) {
    this.#base = new URL(url);
  }

  /** @param path what is asked of the scanner, with its query */
  request(path: string, request: IncomingMessage, response: ServerResponse): void {
    this.#ask(path, request, response);
  }

  /** @param isAgain is it sent for the second time, over a connection of its own? */
  #ask(path: string, request: IncomingMessage, response: ServerResponse, isAgain = false): void {
    const outgoing = this.#open(path, request, lengthOf(request), isAgain);
    const fail = (error: unknown) => {
      outgoing.destroy();
      request.unpipe(outgoing).resume();
      this.#fail(response, error);
    };
    outgoing.on('error', (error) => {
      // A kept connection may be closed by the scanner just when it is used again. The client library does the same.
      if (mayAskAgain(request, outgoing, error) && !response.headersSent && !request.socket.destroyed) {
        this.#ask(path, request, response, true);
      } else fail(error);
    });
    // Without this, Node would tell nobody that there is no answer.
    outgoing.once('upgrade', (_, joined) => {
      joined.destroy();
      fail(new NoAnswer('it has answered with another protocol'));
    });
    outgoing.once('response', (answer) => {
      // A scanner that answers before it has the whole body does not want the rest of it.
      request.unpipe(outgoing).resume();
      answer.once('error', () => response.destroy());
      response.once('close', () => outgoing.destroy());
      if (response.headersSent || response.destroyed) {
        outgoing.destroy();
        return;
      }
      try {
        const { status, headers } = headOfAnswer(answer, contentAt(path));
        response.writeHead(status, headers);
      } catch (error) {
        fail(error);
        return;
      }
      answer.pipe(response);
    });
    // Not of the response: of those that wait behind others, Node closes none when the connection ends.
    const { socket } = request;
    const gone = () => outgoing.destroy();
    socket.once('close', gone);
    outgoing.once('close', () => socket.off('close', gone));
    request.pipe(outgoing);
  }

  upgrade(path: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    const outgoing = this.#open(path, request, ['connection', 'Upgrade', 'upgrade', 'websocket']);
    outgoing.on('error', () => socket.destroy());
    socket.once('close', () => outgoing.destroy());
    // It takes no WebSocket there. Pages learn no more than that of any answer.
    outgoing.once('response', () => {
      outgoing.destroy();
      socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    outgoing.once('upgrade', (answer, joined, first) => {
      joined.setTimeout(0);
      socket.setTimeout(0);
      joined.once('error', () => socket.destroy()).once('close', () => socket.destroy());
      socket.once('close', () => joined.destroy());
      socket.write(headOfWebSocket(answer));
      if (first.length > 0) socket.write(first);
      if (head.length > 0) joined.write(head);
      joined.pipe(socket);
      socket.pipe(joined);
    });
    outgoing.end();
  }

  /** @param more headers beside those that the scanner needs of this request; names and values alternate */
  #open(
    path: string,
    request: IncomingMessage,
    more: readonly string[],
    hasOwnConnection = false,
  ): ClientRequest {
    const { protocol, hostname, port, host, pathname } = this.#base;
    const outgoing = (protocol === 'https:' ? https : http).request({
      method: request.method ?? 'GET',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? undefined : Number(port),
      path: pathname.replace(/\/$/, '') + path,
      headers: ['host', host, ...requestHeaders(request), ...more],
      setHost: false,
      agent: hasOwnConnection ? false : undefined,
    });
    outgoing.setTimeout(answerWithin, () => outgoing.destroy(new Error('it has sent nothing for 60 s')));
    return outgoing;
  }

  /** The scanner does not answer: HTTP 502 with the reason, or a closed connection if an answer has begun. */
  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    replyText(response, 502, `${this.url} does not answer: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Was a read without a body lost with a kept connection? */
function mayAskAgain(
  { method, headers }: IncomingMessage,
  outgoing: ClientRequest,
  error: NodeJS.ErrnoException,
): boolean {
  const isRead = (method === 'GET' || method === 'HEAD') && lengthOf({ headers }).length === 0;
  return isRead && outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** How the body of the request is delimited, for the scanner. */
function lengthOf({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const length = headers['content-length'];
  if (length !== undefined) return ['content-length', length];
  return headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked'];
}
