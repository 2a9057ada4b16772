import { bySystem, pause as pauseOfPlatform } from '@azimuth/async';
import { isObject } from '@azimuth/model';
import { exchange as platformExchange } from '#exchange';
import { type Answer, openEnvelope, silenceIn } from './answer.js';
import { longestWait, mostRetries, waitAfter } from './back-off.js';
import { pathOf } from './endpoint.js';
import { AnswerError, ClientError, RateLimitError, UnreachableError } from './errors.js';
import { blobUpload } from './exchange/blob-upload.js';
import type { AnswerHeaders, Exchange, JsonRequest, Reply } from './exchange/exchange.js';
import { BodyTooLong } from './exchange/exchange.js';
import { exchangeOver, type Fetch, platformFetch } from './exchange/fetch-exchange.js';
import { longestTransfer } from './limits.js';

/** Waits that many milliseconds, and no longer than until the signal aborts. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface ConnectionOptions {
  /** The scanner: `http://192.168.0.1`, with or without `/api`. */
  readonly url: string;
  /** Milliseconds for one request and its answer; 10 000 by default. */
  readonly timeoutMs?: number | undefined;
  /** By default, the platform's. In Node, it is used for files only, and everything else goes over node:http. */
  readonly fetch?: Fetch | undefined;
  /** How to wait that many milliseconds; on the platform's clock by default. */
  readonly pause?: Pause | undefined;
  /** How streams (events, changes, scans) wait before they connect again; as `pause` by default. */
  readonly reconnectPause?: Pause | undefined;
  /** Milliseconds on a clock that never goes back; the platform's by default. */
  readonly now?: (() => number) | undefined;
}

/** Streams need `duplex` (fetch standard), which not every platform's types know. */
interface FileInit extends RequestInit {
  readonly duplex?: 'half';
  /** Called with the number of bytes of the body that are sent, where the platform tells it of a Blob. */
  readonly onSent?: (bytes: number) => void;
}

/** Makes a new request for each attempt. It calls `moved` when a part of its body has been sent. */
export type FileRequest = (moved: () => void) => FileInit;

/** The head of an answer; `idleTimeout` ends the connection unless it is stopped when the body has been read. */
interface Transferred {
  readonly response: Response;
  readonly idleTimeout: IdleTimeout;
}

/** How long a transfer may stall at least (ms): the scanner may be writing to a slow disk. */
const leastIdle = 60_000;

/**
 * Requests and answers of one scanner. No POST is sent twice, but for what the scanner turned away with HTTP 429
 * and so never looked at.
 */
export class Connection {
  /** The scanner as errors name it. */
  readonly url: string;
  readonly #timeoutMs: number;
  readonly #fetch: Fetch;
  readonly #upload: (onSent: (bytes: number) => void) => Fetch | undefined;
  readonly #platform: Exchange;
  readonly pause: Pause;
  readonly reconnectPause: Pause;
  readonly now: () => number;

  /** @throws TypeError if `url` is not the address of a web server. */
  constructor({
    url,
    timeoutMs = 10_000,
    fetch,
    pause = pauseOfPlatform,
    reconnectPause = pause,
    now = platformNow,
  }: ConnectionOptions) {
    this.url = scannerAddress(url).href.replace(/\/$/, '');
    this.#timeoutMs = timeoutMs;
    this.#fetch = fetch ?? platformFetch;
    this.#upload = fetch === undefined ? blobUpload : () => undefined;
    this.#platform = fetch === undefined ? platformExchange : exchangeOver(fetch);
    this.pause = pause;
    this.reconnectPause = reconnectPause;
    this.now = now;
  }

  /** Milliseconds for one request and its answer. */
  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  get(endpoint: string, timeoutMs?: number): Promise<Answer> {
    return this.#ask(endpoint, { method: 'GET' }, timeoutMs);
  }

  post(endpoint: string, body: Readonly<Record<string, unknown>>, timeoutMs?: number): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#ask(endpoint, { method: 'POST', headers, body: JSON.stringify(body) }, timeoutMs);
  }

  /**
   * The HTTP status that a GET is answered with.
   * @param path below the URL of the scanner, with a slash in front
   * @throws UnreachableError
   */
  async httpStatusAt(path: string): Promise<number> {
    return (await this.send(path, { method: 'GET' })).httpStatus;
  }

  /**
   * Sends a request that is not about the interface of the specification.
   * @param path below the URL of the scanner, with a slash in front
   * @throws UnreachableError
   */
  async send(path: string, request: JsonRequest): Promise<Reply> {
    const reply = await this.#exchange(path, path, request, this.#timeoutMs);
    const silence = silenceIn(this.url, reply);
    if (silence !== undefined) throw silence;
    return reply;
  }

  /**
   * Asks for a file, or sends one. It may take hours while bytes move.
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
    const idleTimeout = new IdleTimeout(Math.max(this.#timeoutMs, leastIdle));
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
  async #ask(endpoint: string, request: JsonRequest, timeoutMs = this.#timeoutMs): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const reply = await this.#exchange(endpoint, pathOf(endpoint), request, timeoutMs);
      if (reply.httpStatus !== 429) {
        const silence = silenceIn(this.url, reply);
        if (silence !== undefined) throw silence;
        return openEnvelope(this.url, endpoint, reply);
      }
      await this.#backOff(endpoint, attempt, reply.headers);
    }
  }

  async #backOff(endpoint: string, attempt: number, headers: AnswerHeaders): Promise<void> {
    const wait = waitAfter(attempt, headers.get('Retry-After'), Date.now());
    if (attempt === mostRetries || wait > longestWait) throw new RateLimitError(endpoint, wait);
    await this.pause(wait);
  }

  async #exchange(endpoint: string, path: string, request: JsonRequest, timeoutMs: number): Promise<Reply> {
    try {
      return await this.#platform(`${this.url}${path}`, request, timeoutMs);
    } catch (error) {
      throw this.failure(endpoint, error, timeoutMs);
    }
  }

  /** Converts an error of the platform, or of a body that is too long. Errors of the client are returned unchanged. */
  failure(
    endpoint: string,
    error: unknown,
    timeoutMs = Math.max(this.#timeoutMs, leastIdle),
  ): AnswerError | UnreachableError | ClientError {
    if (error instanceof ClientError) return error;
    const cause = error instanceof Error ? error.cause : undefined;
    const tooLong = [error, cause].find((one) => one instanceof BodyTooLong);
    if (tooLong !== undefined) return new AnswerError(this.url, endpoint, tooLong.message);
    return new UnreachableError(this.url, this.#reasonOf(error, timeoutMs), error);
  }

  #reasonOf(error: unknown, timeoutMs: number): string {
    if (!(error instanceof Error)) return 'the request failed';
    if (error.name === 'TimeoutError')
      return error.message === neverEnds ? neverEnds : `no answer within ${timeoutMs / 1000} s`;
    const { cause } = error;
    // Node keeps what happened in the cause: a system code, or a message if there is none.
    if (isObject(cause) && typeof cause.code === 'string') return cause.code;
    const message = cause instanceof Error && cause.message !== '' ? cause.message : error.message;
    return message === 'bad port' ? blockedPort : message;
  }
}

/** fetch refuses ports of other services, for example 6000 (X11). Its message for this does not explain it. */
const blockedPort = "Node's fetch blocks this port; start the scanner on another one";

function platformNow(): number {
  return performance.now();
}

/**
 * The address of a scanner as requests need it, without a slash at its end: `http://192.168.0.1`. A bare host gets
 * `http://`; the base URL of the specification, with `/api`, means the same scanner.
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

const neverEnds = `the file was not whole within ${longestTransfer / 3_600_000} hours`;

/** It keeps no process of Node alive: a download that nobody reads has no timer but this. */
const after = bySystem({ keepsAlive: false });

/** Aborts a transfer when no bytes have moved for a while, or when the whole of it takes hours. */
export class IdleTimeout {
  readonly #milliseconds: number;
  readonly #controller = new AbortController();
  readonly #cancelEnd = after(longestTransfer, () => this.#abort(neverEnds));
  #cancelIdle = () => {};

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.restart();
  }

  /** Aborted with a TimeoutError when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something has moved. */
  restart(): void {
    this.#cancelIdle();
    this.#cancelIdle = after(this.#milliseconds, () => this.#abort('nothing moved'));
  }

  /** The transfer is over. */
  stop(): void {
    this.#cancelIdle();
    this.#cancelEnd();
  }

  #abort(why: string): void {
    this.#controller.abort(new DOMException(why, 'TimeoutError'));
  }
}
