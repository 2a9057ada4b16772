import { general, isObject, sessionTokenHeader } from '@azimuth/model';
import type { Calls } from '../calls.js';
import type { Connection, FileRequest, IdleTimeout } from '../connection.js';
import { gatewayError, openEnvelope } from '../envelope.js';
import { AnswerError, ScannerError, TransferError } from '../errors.js';
import { BodyTooLong, bodyPieces, bytesIn, textIn } from '../exchange/exchange.js';
import { maxUploadResponseBytes } from '../limits.js';

/**
 * Data for an upload: its size in bytes, and a new stream for each attempt, so that a refused transfer can be
 * repeated. A Blob is a source.
 */
export interface Source {
  readonly size: number;
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Called as bytes pass, with their number so far, and the total number if it is known. */
export type Progress = (bytes: number, total: number | undefined) => void;

/**
 * Returns a source as the body of a request. A Blob is sent directly: browsers send no streams over HTTP/1.1. Other
 * sources are streamed.
 */
export function requestBody(
  source: Source,
  onPiece: (bytes: number) => void,
): { readonly body: Blob | ReadableStream<Uint8Array<ArrayBuffer>>; readonly streamed: boolean } {
  if (source instanceof Blob) return { body: source, streamed: false };
  let sent = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      sent += piece.byteLength;
      onPiece(sent);
      controller.enqueue(piece);
    },
  });
  return { body: source.stream().pipeThrough(counting), streamed: true };
}

interface Facts {
  readonly response: Response;
  readonly idleTimeout: IdleTimeout;
  readonly onProgress: Progress;
  /** Limit for its bytes. */
  readonly limit: number;
  /** Returns the client's error for an error of the platform. */
  readonly toClientError: (error: unknown) => Error;
}

/** A file that is being downloaded: piece by piece, or as a whole. It can be read once. */
export class Download implements AsyncIterable<Uint8Array> {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Total bytes; undefined if the scanner does not state them. */
  get size(): number | undefined {
    const length = this.#facts.response.headers.get('Content-Length');
    return length === null ? undefined : Number(length);
  }

  /**
   * @throws UnreachableError if the connection breaks off, no more data arrives, or the file is not complete within
   * hours; AnswerError if it is longer than its limit
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const { response, idleTimeout, onProgress, limit, toClientError } = this.#facts;
    let received = 0;
    try {
      for await (const piece of bodyPieces(response.body)) {
        idleTimeout.restart();
        received += piece.byteLength;
        if (received > limit) throw new BodyTooLong(limit);
        onProgress(received, this.size);
        yield piece;
      }
    } catch (error) {
      throw toClientError(error);
    } finally {
      idleTimeout.stop();
    }
  }

  /** Reads the whole file. */
  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return bytesIn(this, this.#facts.limit);
  }
}

/** The requirements for a download. */
interface DownloadRequest {
  readonly onProgress: Progress;
  /** Limit for its bytes. */
  readonly limit: number;
}

/** The content of an upload, without the token. */
interface Upload {
  readonly type?: string;
  readonly source: Source;
  readonly onProgress?: Progress;
}

/**
 * Transfers files of a scanner, with a session token if the scanner has CreateSessionToken. After HTTP 403 it tries
 * once more, with a new token.
 */
export class FileTransfers {
  readonly #connection: Connection;
  readonly #tokens: SessionTokens;

  constructor(connection: Connection, tokens: SessionTokens) {
    this.#connection = connection;
    this.#tokens = tokens;
  }

  /**
   * Downloads a file that needs no token. @throws TransferError; ScannerError if the scanner sends a failure instead.
   */
  async open(
    file: string,
    query: Readonly<Record<string, string>>,
    wanted: DownloadRequest,
  ): Promise<Download> {
    return this.#get(file, query, {}, wanted);
  }

  async get(file: string, wanted: DownloadRequest): Promise<Download> {
    return this.#withToken((headers) => this.#get(file, {}, headers, wanted));
  }

  /** Sends a file. With HTTP 200, the body of the response is ignored, unless it is an envelope with a failure. */
  async upload(file: string, { source, type, onProgress = noProgress }: Upload): Promise<void> {
    await this.#withToken(async (token) => {
      const headers = type === undefined ? token : { ...token, 'Content-Type': type };
      await this.#upload(file, (moved) => {
        onProgress(0, source.size);
        const { body, streamed } = requestBody(source, (sent) => {
          moved();
          onProgress(sent, source.size);
        });
        if (!streamed) {
          const onSent = (sent: number) => {
            moved();
            onProgress(sent, source.size);
          };
          return { method: 'PUT', headers, body, onSent };
        }
        // States the length, so that a scanner can refuse a file that is too large.
        const length = { 'Content-Length': String(source.size) };
        return { method: 'PUT', headers: { ...headers, ...length }, body, duplex: 'half' };
      });
      onProgress(source.size, source.size);
    });
  }

  /** Sends a file as a part of a form, which is small and sent in one piece. */
  async uploadForm(file: string, form: FormData): Promise<void> {
    await this.#withToken((headers) => this.#upload(file, () => ({ method: 'PUT', headers, body: form })));
  }

  async #get(
    file: string,
    query: Readonly<Record<string, string>>,
    token: Readonly<Record<string, string>>,
    wanted: DownloadRequest,
  ): Promise<Download> {
    const target = Object.keys(query).length === 0 ? file : `${file}?${new URLSearchParams(query)}`;
    // Files are compressed already, or small. Without compression, the size is known before anything is unpacked.
    const headers = { ...token, 'Accept-Encoding': 'identity' };
    const { response, idleTimeout } = await this.#connection.transfer(file, target, () => ({
      method: 'GET',
      headers,
    }));
    const toClientError = (error: unknown) => this.#connection.failure(file, error);
    const download = new Download({ response, idleTimeout, ...wanted, toClientError });
    if (response.status === 200 && !mayBeEnvelope(download)) return download;
    const bytes = await download.bytes();
    this.#refuse(file, response, new TextDecoder().decode(bytes));
    return new Download({
      response: new Response(bytes, { headers: response.headers }),
      idleTimeout,
      ...wanted,
      toClientError,
    });
  }

  async #upload(file: string, request: FileRequest): Promise<void> {
    const { response, idleTimeout } = await this.#connection.transfer(file, file, request);
    try {
      this.#refuse(file, response, await textIn(bodyPieces(response.body), maxUploadResponseBytes));
    } catch (error) {
      throw this.#connection.failure(file, error);
    } finally {
      idleTimeout.stop();
    }
  }

  /**
   * @throws TransferError for an HTTP status other than 200, ScannerError for an envelope with a failure,
   * UnreachableError if a server on the way has answered
   */
  #refuse(file: string, response: Response, text: string): void {
    const httpResponse = { httpStatus: response.status, headers: response.headers, text };
    if (response.status !== 200)
      throw gatewayError(this.#connection.url, httpResponse) ?? TransferError.of(file, httpResponse);
    if (/^\s*\{\s*"header"/.test(text)) openEnvelope(this.#connection.url, file, httpResponse);
  }

  async #withToken<T>(transfer: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
    const first = await this.#tokens.tokenIfKnown();
    if (first === undefined) return transfer({});
    try {
      return await transfer({ [sessionTokenHeader]: first });
    } catch (error) {
      if (!(error instanceof TransferError && error.httpStatus === 403)) throw error;
      // A reboot deletes tokens, and clocks differ: try once more with a new token.
      this.#tokens.forget();
      return transfer({ [sessionTokenHeader]: await this.#tokens.token() });
    }
  }
}

/** True if a JSON file is short enough for the envelope of a failure. A longer one is content. */
function mayBeEnvelope({ size }: Download): boolean {
  return size !== undefined && size < 1024;
}

function noProgress(): void {}

interface Token {
  readonly token: string;
  /** Time (ms, by `now` of SessionTokens) until which it is used. */
  readonly goodUntil: number;
}

/**
 * Safety margin before a token expires: a tenth of its life, at most ten seconds (ms). In this time, no transfer
 * begins with it.
 */
const maxMargin = 10_000;

/**
 * The session token of one client (specification, Session token for binary transfers). It is fetched when it is
 * needed, and cached until shortly before it expires. `timeToLive` is in seconds. If a device does not state it, each
 * transfer has a token of its own.
 */
export class SessionTokens {
  readonly #calls: Calls;
  readonly #now: () => number;
  #cached: Token | undefined;
  #coming: Promise<string> | undefined;

  /** @param now milliseconds on a clock that never goes back. */
  constructor(calls: Calls, now: () => number) {
    this.#calls = calls;
    this.#now = now;
  }

  /** Returns a token with enough time left. Simultaneous calls get the same one. */
  async token(): Promise<string> {
    if (this.#cached !== undefined && this.#now() < this.#cached.goodUntil) return this.#cached.token;
    this.#coming ??= this.#fetch().finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  /** Returns a token for a transfer; undefined if the scanner has no tokens: before 2.3.1 none are needed. */
  async tokenIfKnown(): Promise<string | undefined> {
    try {
      return await this.token();
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'notFound') return undefined;
      throw error;
    }
  }

  /** Drops a token that the scanner has refused. */
  forget(): void {
    this.#cached = undefined;
  }

  async #fetch(): Promise<string> {
    const { name } = general.members.CreateSessionToken;
    const requestedAt = this.#now();
    const response = await this.#calls.callAny(name);
    const { token, timeToLive } = isObject(response) ? response : {};
    if (typeof token !== 'string' || token === '') {
      throw new AnswerError(this.#calls.url, name, 'without data.token');
    }
    const life = typeof timeToLive === 'number' ? timeToLive * 1000 : 0;
    this.#cached = { token, goodUntil: requestedAt + life - Math.min(maxMargin, life / 10) };
    return token;
  }
}
