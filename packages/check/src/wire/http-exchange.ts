import { Agent, type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps, Agent as SecureAgent } from 'node:https';
import { inTime } from '@azimuth/async';

/** A request as a case makes it. */
export interface HttpRequest {
  readonly method: string;
  /** Path with query, from the first slash on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A scanner did not answer as HTTP does: nothing came in time, too much came, or the connection was lost. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Usual bound of an answer in bytes: backups, archives and point clouds are smaller. */
const longestAnswer = 64 * 1024 * 1024;

/** HTTP of one scanner: requests one after the other over connections that are kept. */
export class HttpExchange {
  readonly #base: URL;
  #timeoutMs: number;
  readonly #longest: number;
  readonly #agent: Agent;

  /**
   * @param url `http://HOST:PORT`; also https, whose certificate is not verified: a new scanner has its own, and no password
   *   is ever sent
   * @param timeoutMs longest time of a request and its answer
   * @param longest largest answer that is read, in bytes
   */
  constructor(url: string, timeoutMs: number, longest = longestAnswer) {
    this.#base = new URL(url);
    this.#timeoutMs = timeoutMs;
    this.#longest = longest;
    const kept = { keepAlive: true, maxSockets: 8 };
    this.#agent =
      this.#base.protocol === 'https:'
        ? new SecureAgent({ ...kept, rejectUnauthorized: false })
        : new Agent(kept);
  }

  /** The scanner's `http(s)://HOST:PORT`, with the path of a scanner of a fleet. */
  get origin(): string {
    return this.#base.origin + this.#prefix;
  }

  /** Path in front of all others, without a slash at its end: a fleet has one for each of its scanners. */
  get #prefix(): string {
    return this.#base.pathname.replace(/\/$/, '');
  }

  /** @throws NoAnswer */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    try {
      return await this.#attempt(request);
    } catch (error) {
      // The scanner may have closed a kept connection just now. Only reads are sent again.
      if (!(error instanceof StaleConnection) || request.method !== 'GET') throw error;
      return await this.#attempt(request);
    }
  }

  /** Reads a path without headers of its own. @throws NoAnswer */
  get(path: string): Promise<HttpAnswer> {
    return this.send({ method: 'GET', path, headers: {}, body: undefined });
  }

  /** Shortens the time of each further request to at most this many ms. */
  limit(timeoutMs: number): void {
    this.#timeoutMs = Math.min(this.#timeoutMs, timeoutMs);
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy();
  }

  #attempt({ method, path, headers, body }: HttpRequest): Promise<HttpAnswer> {
    let sent: ClientRequest | undefined;
    const answer = new Promise<HttpAnswer>((resolve, reject) => {
      const send = this.#base.protocol === 'https:' ? overHttps : overHttp;
      const { hostname, port } = this.#base;
      const made = send({
        ...{ hostname: bareHost(hostname), port, path: this.#prefix + path, method, headers },
        agent: this.#agent,
      });
      sent = made;
      made.on('error', (error) =>
        reject(made.reusedSocket ? new StaleConnection(failure(error)) : new NoAnswer(failure(error))),
      );
      made.on('response', (response) => {
        readAnswer(response, this.#longest).then(resolve, (error) => {
          reject(error);
          made.destroy();
        });
      });
      made.end(body);
    });
    return inTime(this.#timeoutMs, answer, () => {
      sent?.destroy();
      throw new NoAnswer(`no answer within ${this.#timeoutMs / 1000} s`);
    });
  }
}

/** A connection that was kept has ended before its next request had an answer. */
class StaleConnection extends NoAnswer {}

/** Returns the host without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function failure(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return `the connection failed (${code})`;
}

/** @param longest in bytes @throws NoAnswer */
export async function readAnswer(response: IncomingMessage, longest = longestAnswer): Promise<HttpAnswer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      if (!Buffer.isBuffer(piece)) continue;
      length += piece.length;
      if (length > longest) throw new NoAnswer(`more than ${longest} bytes came`);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer(error instanceof Error ? failure(error) : 'the connection failed');
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(pieces),
  };
}
