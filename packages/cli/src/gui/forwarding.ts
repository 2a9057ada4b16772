import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createProxyServer } from 'httpxy';

/** ms for an answer of the scanner to begin; file transfers may take longer once bytes move. */
const answerWithin = 60_000;

/** Forwards requests and WebSockets to one scanner. */
export class Forwarding {
  readonly #proxy;

  /** @param url the scanner, without a slash at its end */
  constructor(readonly url: string) {
    this.#proxy = createProxyServer({
      target: url,
      changeOrigin: true,
      proxyTimeout: answerWithin,
      upgradeTimeout: answerWithin,
    });
    // The origin was checked here. The scanner would refuse the one of this page.
    const withoutOrigin = (request: { removeHeader(name: string): void }) => {
      for (const name of ['origin', 'referer', 'cookie']) request.removeHeader(name);
    };
    this.#proxy.on('proxyReq', withoutOrigin);
    this.#proxy.on('proxyReqWs', withoutOrigin);
    this.#proxy.on('error', (error, _, answer) => fail(answer, url, error));
  }

  /** @param path what is asked of the scanner, with its query */
  async request(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.url = path;
    try {
      await this.#proxy.web(request, response);
    } catch (error) {
      fail(response, this.url, error);
    }
  }

  async upgrade(path: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    request.url = path;
    try {
      await this.#proxy.ws(request, socket, {}, head);
    } catch (error) {
      fail(socket, this.url, error);
    }
  }
}

/** The scanner does not answer: HTTP 502 with the reason, or a closed connection if an answer has begun. */
function fail(answer: unknown, url: string, error: unknown): void {
  if (answer instanceof Socket) {
    answer.destroy();
    return;
  }
  if (!isResponse(answer)) return;
  if (answer.headersSent) {
    answer.destroy();
    return;
  }
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  answer.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
  answer.end(`${url} does not answer: ${reason}\n`);
}

function isResponse(answer: unknown): answer is ServerResponse {
  return typeof answer === 'object' && answer !== null && 'writeHead' in answer;
}
