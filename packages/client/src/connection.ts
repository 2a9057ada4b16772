import { bySystem, pause as pauseOfPlatform } from '@azimuth/async';
import { isObject } from '@azimuth/model';
import { exchange as platformExchange } from '#exchange';
import { maxRetries, maxWait, waitAfter } from './back-off.js';
import { endpointPath } from './endpoint.js';
import { type EnvelopeContent, gatewayError, openEnvelope } from './envelope.js';
import { AnswerError, ClientError, RateLimitError, UnreachableError } from './errors.js';
import { blobUpload } from './exchange/blob-upload.js';
import type { Dial, Exchange, HttpResponse, JsonRequest, ResponseHeaders } from './exchange/exchange.js';
import { BodyTooLong } from './exchange/exchange.js';
import { exchangeOver, type Fetch, globalFetch } from './exchange/fetch-exchange.js';
import { maxTransferMs } from './limits.js';

/** Waits this many milliseconds. The wait ends early if the signal aborts. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface ConnectionOptions {
  /** The scanner: `http://192.168.0.1`, with or without `/api`. */
  readonly url: string;
  /** Milliseconds for one request and its response; 10 000 by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * The fetch to use; by default, that of the platform. In Node, the default is used for files only: all other
   * requests go over node:http.
   */
  readonly fetch?: Fetch | undefined;
  /** Waits this many milliseconds; on the platform's clock by default. */
  readonly pause?: Pause | undefined;
  /** The wait of streams (events, changes, scans) before they connect again; `pause` by default. */
  readonly reconnectPause?: Pause | undefined;
  /** Milliseconds on a clock that never goes back; the platform's by default. */
  readonly now?: (() => number) | undefined;
  /** Gets each POST when it is answered, or has failed: all writes and calls, also those of other methods of the client. */
  readonly onPost?: ((posted: Posted) => void) | undefined;
  /** In Node: how connections for requests and events are opened. Files go over the connections of the platform. */
  readonly dial?: Dial | undefined;
}

/** A POST to a scanner and what became of it. It has no values: they may be secrets. */
export interface Posted {
  /** Name of the variable or the method. */
  readonly endpoint: string;
  /** What the scanner answered under `data`; undefined if the request failed, or the answer has none. */
  readonly answer?: unknown;
  /** The reason why the request failed; undefined if it was answered. */
  readonly error?: unknown;
}

/** A fetch with a stream as its body needs `duplex` (fetch standard). Some types of platforms lack this member. */
interface FileInit extends RequestInit {
  readonly duplex?: 'half';
  /**
   * Called with the number of bytes of the body that have been sent, if the body is a Blob and the platform reports
   * progress.
   */
  readonly onSent?: (bytes: number) => void;
}

/** Makes a new request for each attempt. It calls `moved` when a part of its body has been sent. */
export type FileRequest = (moved: () => void) => FileInit;

/** The head of a response. The reader of the body has to stop `idleTimeout` at the end, or the connection is closed. */
interface Transferred {
  readonly response: Response;
  readonly idleTimeout: IdleTimeout;
}

/** Least time that a transfer may stall (ms): the scanner may be writing to a slow disk. */
const minIdleTimeout = 60_000;

/**
 * Requests and responses of one scanner. A POST is sent again only after HTTP 429: the scanner has not read that
 * request.
 */
export class Connection {
  /** The name of the scanner in errors: its URL. */
  readonly url: string;
  readonly #timeoutMs: number;
  readonly #fetch: Fetch;
  readonly #upload: (onSent: (bytes: number) => void) => Fetch | undefined;
  readonly #exchangeOnce: Exchange;
  readonly pause: Pause;
  readonly reconnectPause: Pause;
  readonly now: () => number;
  readonly #onPost: (posted: Posted) => void;
  readonly dial: Dial | undefined;

  /** @throws TypeError if `url` is not the address of a web server. */
  constructor({
    url,
    timeoutMs = 10_000,
    fetch,
    pause = pauseOfPlatform,
    reconnectPause = pause,
    now = monotonicNow,
    onPost = () => undefined,
    dial,
  }: ConnectionOptions) {
    this.url = scannerAddress(url).href.replace(/\/$/, '');
    this.#timeoutMs = timeoutMs;
    this.#fetch = fetch ?? globalFetch;
    this.#upload = fetch === undefined ? blobUpload : () => undefined;
    this.#exchangeOnce = fetch === undefined ? platformExchange : exchangeOver(fetch);
    this.pause = pause;
    this.reconnectPause = reconnectPause;
    this.now = now;
    this.#onPost = onPost;
    this.dial = dial;
  }

  /** Milliseconds for one request and its response. */
  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  get(endpoint: string, timeoutMs?: number): Promise<EnvelopeContent> {
    return this.#request(endpoint, { method: 'GET' }, timeoutMs);
  }

  async post(
    endpoint: string,
    body: Readonly<Record<string, unknown>>,
    timeoutMs?: number,
  ): Promise<EnvelopeContent> {
    const headers = { 'Content-Type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) } as const;
    try {
      const content = await this.#request(endpoint, request, timeoutMs);
      this.#onPost({ endpoint, answer: content.body.data });
      return content;
    } catch (error) {
      this.#onPost({ endpoint, error });
      throw error;
    }
  }

  /**
   * Returns the HTTP status of the response to a GET.
   * @param path below the URL of the scanner, with a slash in front
   * @throws UnreachableError
   */
  async httpStatusAt(path: string): Promise<number> {
    return (await this.send(path, { method: 'GET' })).httpStatus;
  }

  /**
   * Sends a request that does not belong to the interface of the specification.
   * @param path below the URL of the scanner, with a slash in front
   * @param longestMs time limit, if it is shorter than that of the connection
   * @throws UnreachableError
   */
  async send(path: string, request: JsonRequest, longestMs = this.#timeoutMs): Promise<HttpResponse> {
    const response = await this.#exchange(path, path, request, Math.min(longestMs, this.#timeoutMs));
    const silence = gatewayError(this.url, response);
    if (silence !== undefined) throw silence;
    return response;
  }

  /**
   * Requests a file, or sends one. It may take hours while bytes move.
   * @param target the file's name with a query
   * @throws RateLimitError, UnreachableError
   */
  async transfer(file: string, target: string, request: FileRequest): Promise<Transferred> {
    for (let attempt = 0; ; attempt++) {
      const transferred = await this.#transfer(file, `${this.url}/api/${target}`, request);
      const { response, idleTimeout } = transferred;
      if (response.status !== 429) return transferred;
      idleTimeout.stop();
      await response.body?.cancel();
      await this.#backOff(file, attempt, response.headers);
    }
  }

  async #transfer(file: string, url: string, request: FileRequest): Promise<Transferred> {
    const idleTimeout = new IdleTimeout(Math.max(this.#timeoutMs, minIdleTimeout));
    try {
      const { onSent, ...init } = request(() => idleTimeout.restart());
      const send = (onSent === undefined ? undefined : this.#upload(onSent)) ?? this.#fetch;
      const response = await send(url, { ...init, redirect: 'error', signal: idleTimeout.signal });
      idleTimeout.restart();
      return { response, idleTimeout };
    } catch (error) {
      idleTimeout.stop();
      throw this.failure(file, error);
    }
  }

  /** @throws ScannerError, RateLimitError, UnreachableError or AnswerError. */
  async #request(
    endpoint: string,
    request: JsonRequest,
    timeoutMs = this.#timeoutMs,
  ): Promise<EnvelopeContent> {
    for (let attempt = 0; ; attempt++) {
      const response = await this.#exchange(endpoint, endpointPath(endpoint), request, timeoutMs);
      if (response.httpStatus !== 429) {
        const silence = gatewayError(this.url, response);
        if (silence !== undefined) throw silence;
        return openEnvelope(this.url, endpoint, response);
      }
      await this.#backOff(endpoint, attempt, response.headers);
    }
  }

  async #backOff(endpoint: string, attempt: number, headers: ResponseHeaders): Promise<void> {
    const wait = waitAfter(attempt, headers.get('Retry-After'), Date.now());
    if (attempt === maxRetries || wait > maxWait) throw new RateLimitError(endpoint, wait);
    await this.pause(wait);
  }

  async #exchange(
    endpoint: string,
    path: string,
    request: JsonRequest,
    timeoutMs: number,
  ): Promise<HttpResponse> {
    try {
      return await this.#exchangeOnce(`${this.url}${path}`, request, timeoutMs, this.dial);
    } catch (error) {
      throw this.failure(endpoint, error, timeoutMs);
    }
  }

  /** Converts an error of the platform, or of a body that is too long. Returns errors of the client unchanged. */
  failure(
    endpoint: string,
    error: unknown,
    timeoutMs = Math.max(this.#timeoutMs, minIdleTimeout),
  ): AnswerError | UnreachableError | ClientError {
    if (error instanceof ClientError) return error;
    const cause = error instanceof Error ? error.cause : undefined;
    const tooLong = [error, cause].find((one) => one instanceof BodyTooLong);
    if (tooLong !== undefined) return new AnswerError(this.url, endpoint, tooLong.message);
    return new UnreachableError(this.url, this.#failureText(error, timeoutMs), error);
  }

  #failureText(error: unknown, timeoutMs: number): string {
    if (!(error instanceof Error)) return 'the request failed';
    if (error.name === 'TimeoutError')
      return error.message === neverEnds ? neverEnds : `no answer within ${timeoutMs / 1000} s`;
    const { cause } = error;
    // Node puts the reason into the cause: a system code, or a message if there is none.
    if (isObject(cause) && typeof cause.code === 'string') return cause.code;
    const message = cause instanceof Error && cause.message !== '' ? cause.message : error.message;
    return message === 'bad port' ? blockedPort : message;
  }
}

/**
 * The reason for a port that fetch refuses because it belongs to another service, for example 6000 (X11). Its own
 * message does not explain this.
 */
const blockedPort = "Node's fetch blocks this port; start the scanner on another one";

function monotonicNow(): number {
  return performance.now();
}

/**
 * Returns the address of a scanner for requests, without a slash at its end: `http://192.168.0.1`. `http://` is added
 * to a bare host name. `/api`, the base URL of the specification, is removed.
 * @throws TypeError if the text is not the address of a web server, or contains a password.
 */
export function scannerAddress(text: string): URL {
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === undefined) throw new TypeError(`"${text}" is not the URL of a scanner`);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the URL of a scanner must not contain a user or a password');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`expected the URL of a scanner with http:// or https://, got "${text}"`);
  }
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api$/, '');
  url.search = '';
  url.hash = '';
  return url;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const neverEnds = `the file was not whole within ${maxTransferMs / 3_600_000} hours`;

/**
 * Keeps no process of Node alive: otherwise, only this timer would keep a process running whose download nobody reads.
 */
const after = bySystem({ keepsAlive: false });

/** Aborts a transfer if no bytes move for a while, or if the whole transfer takes hours. */
export class IdleTimeout {
  readonly #milliseconds: number;
  readonly #controller = new AbortController();
  readonly #cancelEnd = after(maxTransferMs, () => this.#abort(neverEnds));
  #cancelIdle = () => {};

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.restart();
  }

  /** Aborted with a TimeoutError when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the idle time again, because bytes have moved. */
  restart(): void {
    this.#cancelIdle();
    this.#cancelIdle = after(this.#milliseconds, () => this.#abort('nothing moved'));
  }

  /** Stops the timers: the transfer is over. */
  stop(): void {
    this.#cancelIdle();
    this.#cancelEnd();
  }

  #abort(why: string): void {
    this.#controller.abort(new DOMException(why, 'TimeoutError'));
  }
}
