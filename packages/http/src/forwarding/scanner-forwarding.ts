import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestContext } from '../connection.js';
import { refuseUpgrade } from '../last-responses.js';
import { forward, joinWebSocket } from './forward.js';
import { framingOf, requestHeaders } from './forwarded-requests.js';
import { type Content, headOfResponse, InvalidResponse } from './forwarded-responses.js';

/** Time limit in ms for the first bytes of a response; file transfers may take longer. */
const responseTimeout = 60_000;

export interface ForwardingOptions {
  /** The scanner, without a slash at its end. */
  readonly url: string;
  /** Its name in refusals; by default, its URL. */
  readonly name?: string | undefined;
  /** Returns the content of a response from a path of the scanner. */
  readonly contentAt: (path: string) => Content;
  /** How its host name is resolved, and which authorities (PEM) are trusted; by default, as by the system. */
  readonly dial?: { readonly lookup?: LookupFunction; readonly ca?: string | undefined } | undefined;
}

/**
 * Forwards requests and WebSockets to one scanner, which may be hostile: it gets the headers that a scanner needs. Its
 * responses are data for the pages, and never a page.
 */
export class ScannerForwarding {
  readonly #options: ForwardingOptions;
  readonly #base: URL;

  constructor(options: ForwardingOptions) {
    this.#options = options;
    this.#base = new URL(options.url);
  }

  /**
   * Forwards a request. Fulfilled when the client has its response, or has closed its connection.
   * @param path the requested path of the scanner, with its query
   * @throws InvalidResponse, and errors of the connection, before anything was sent to the client
   */
  async request(path: string, context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    const framing = framingOf(request);
    const content = this.#options.contentAt(path);
    const headOf = (incoming: IncomingMessage) => headOfResponse(incoming, content);
    const send = (outgoing: ClientRequest) => forward({ request, response, outgoing, headOf });
    const outgoing = this.#open(path, context, framing);
    await send(outgoing).catch((error: unknown) => {
      // The scanner may close a reused connection just when the next request is sent. The client library retries,
      // too.
      if (!mayRetry(request, outgoing, error) || request.socket.destroyed) throw error;
      return send(this.#open(path, context, framing, true));
    });
  }

  /** Joins the client and a WebSocket of the scanner. If there is none, the client gets a refusal. */
  upgrade(path: string, context: RequestContext, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    const outgoing = this.#open(path, context, ['connection', 'Upgrade', 'upgrade', 'websocket']);
    outgoing.on('error', () => socket.destroy());
    socket.once('close', () => outgoing.destroy());
    // Pages get only this refusal, whatever the scanner has responded.
    outgoing.once('response', () => {
      outgoing.destroy();
      const { url, name = url } = this.#options;
      refuseUpgrade(socket, 502, `${name} takes no WebSocket here.`);
    });
    outgoing.once('upgrade', (response, joined, first) =>
      joinWebSocket(socket, head, response, joined, first),
    );
    outgoing.end();
  }

  /** @param more headers in addition to those that the scanner needs; names and values alternate */
  #open(
    path: string,
    context: RequestContext,
    more: readonly string[],
    hasOwnConnection = false,
  ): ClientRequest {
    const { protocol, hostname, port, host, pathname } = this.#base;
    const outgoing = (protocol === 'https:' ? https : http).request({
      ...this.#options.dial,
      method: context.request.method ?? 'GET',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? undefined : Number(port),
      path: pathname.replace(/\/$/, '') + path,
      headers: ['host', host, ...requestHeaders(context), ...more],
      setHost: false,
      ...(hasOwnConnection ? { agent: false } : {}),
    });
    outgoing.setTimeout(responseTimeout, () => outgoing.destroy(new Error('it has sent nothing for 60 s')));
    return outgoing;
  }
}

/** The reason why a scanner does not answer, for people. */
export function forwardingFailure(error: unknown): string {
  if (error instanceof InvalidResponse) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** True if a read without a body was lost with a reused connection. */
function mayRetry(request: IncomingMessage, outgoing: ClientRequest, error: unknown): boolean {
  const isRead = (request.method === 'GET' || request.method === 'HEAD') && framingOf(request).length === 0;
  const isLost =
    error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
  return isRead && outgoing.reusedSocket && isLost;
}
