import { isObject } from '@azimuth/model';
import { scannerAddress } from './address.js';
import { type Answer, openEnvelope, type Reply } from './answer.js';
import { longestWait, mostRetries, waitAfter } from './back-off.js';
import { RateLimitError, UnreachableError } from './errors.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ConnectionOptions {
  /** The scanner: `http://192.168.0.1`, with or without `/api`. */
  readonly url: string;
  /** Milliseconds for one request and its answer; 10 000 where nothing is stated. */
  readonly timeoutMs?: number;
  /** The platform's where nothing is stated. */
  readonly fetch?: Fetch;
  /** How to wait that many milliseconds; on the platform's clock where nothing is stated. */
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * Requests and answers of one scanner. Nothing is sent twice, but for what the scanner turned away with HTTP 429
 * and so never looked at.
 */
export class Connection {
  /** The scanner as errors name it. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly #timeoutMs: number;
  readonly #fetch: Fetch;
  readonly pause: (ms: number) => Promise<void>;

  /** @throws TypeError where `url` is no address of a web server. */
  constructor({ url, timeoutMs = 10_000, fetch = platformFetch, pause = platformPause }: ConnectionOptions) {
    const address = scannerAddress(url);
    this.url = address.href.replace(/\/$/, '');
    this.origin = address.origin;
    this.#timeoutMs = timeoutMs;
    this.#fetch = fetch;
    this.pause = pause;
  }

  get(endpoint: string): Promise<Answer> {
    return this.#ask(endpoint, { method: 'GET' });
  }

  post(endpoint: string, body: Readonly<Record<string, unknown>>): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#ask(endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** @throws ScannerError, RateLimitError, UnreachableError or AnswerError. */
  async #ask(endpoint: string, init: RequestInit): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const reply = await this.#exchange(`${this.url}/api/${encodeURIComponent(endpoint)}`, init);
      if (reply.httpStatus !== 429) return openEnvelope(this.url, endpoint, reply);
      const wait = waitAfter(attempt, reply.headers.get('Retry-After'), Date.now());
      if (attempt === mostRetries || wait > longestWait) throw new RateLimitError(endpoint, wait);
      await this.pause(wait);
    }
  }

  async #exchange(url: string, init: RequestInit): Promise<Reply> {
    try {
      const signal = AbortSignal.timeout(this.#timeoutMs);
      // A redirected POST would arrive as a GET, and signed for another path.
      const response = await this.#fetch(url, { ...init, redirect: 'error', signal });
      return { httpStatus: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      throw new UnreachableError(this.url, this.#reasonOf(error), error);
    }
  }

  #reasonOf(error: unknown): string {
    if (!(error instanceof Error)) return 'the request failed';
    if (error.name === 'TimeoutError') return `no answer within ${this.#timeoutMs / 1000} s`;
    const { cause } = error;
    // Node keeps what happened in the cause: a system code, or a message where there is none.
    if (isObject(cause) && typeof cause.code === 'string') return cause.code;
    const message = cause instanceof Error && cause.message !== '' ? cause.message : error.message;
    return message === 'bad port' ? blockedPort : message;
  }
}

/** Ports of other services, 6000 (X11) for one, are asked by no fetch: the word for them says nothing by itself. */
const blockedPort = "this port is blocked by the platform's fetch; let the scanner listen on another one";

/** The platform's own, called as it wants to be called: as a function of the global object. */
function platformFetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}

function platformPause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
