import { general, isObject, sessionTokenHeader } from '@azimuth/model';
import { openEnvelope, silenceIn } from '../answer.js';
import type { Calls } from '../calls.js';
import type { Connection, FileRequest, IdleTimeout } from '../connection.js';
import { AnswerError, ScannerError, TransferError } from '../errors.js';
import { BodyTooLong, bytesIn, piecesOf, textIn } from '../exchange/exchange.js';
import { longestUploadReply } from '../limits.js';

/**
 * What is sent: its size in bytes, and a new stream for each attempt, so that a transfer that the scanner refused can be
 * repeated. A Blob is a source.
 */
export interface Source {
  readonly size: number;
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Called as bytes pass: how many so far, and how many in all if that is known. */
export type Progress = (bytes: number, total: number | undefined) => void;

/**
 * A source as the body of a request. A Blob goes as it is: browsers send no streams over HTTP/1.1. Anything else is streamed.
 */
export function bodyOf(
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
  /** The most bytes that it may have. */
  readonly limit: number;
  /** The client's error for an error of the platform. */
  readonly errorOf: (error: unknown) => Error;
}

/** A file on its way: piece by piece, or all of it. It can be read once. */
export class Download implements AsyncIterable<Uint8Array> {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Bytes in all; undefined if the scanner does not say. */
  get size(): number | undefined {
    const length = this.#facts.response.headers.get('Content-Length');
    return length === null ? undefined : Number(length);
  }

  /**
   * @throws UnreachableError if the connection breaks off, no more data arrives, or the file is not whole within hours;
   *   AnswerError if it is longer than its limit
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const { response, idleTimeout, onProgress, limit, errorOf } = this.#facts;
    let received = 0;
    try {
      for await (const piece of piecesOf(response.body)) {
        idleTimeout.restart();
        received += piece.byteLength;
        if (received > limit) throw new BodyTooLong(limit);
        onProgress(received, this.size);
        yield piece;
      }
    } catch (error) {
      throw errorOf(error);
    } finally {
      idleTimeout.stop();
    }
  }

  /** The whole file. */
  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return bytesIn(this, this.#facts.limit);
  }
}

/** What a download may be. */
interface Wanted {
  readonly onProgress: Progress;
  /** The most bytes that it may have. */
  readonly limit: number;
}

/** The content of an upload, without the token. */
interface Upload {
  readonly type?: string;
  readonly source: Source;
  readonly onProgress?: Progress;
}

/**
 * Transfers files of a scanner, with a session token if the scanner has CreateSessionToken. After HTTP 403 it tries once
 * more, with a new token.
 */
export class FileTransfers {
  readonly #connection: Connection;
  readonly #tokens: SessionTokens;

  constructor(connection: Connection, tokens: SessionTokens) {
    this.#connection = connection;
    this.#tokens = tokens;
  }

  /** A file that needs no token. @throws TransferError; ScannerError if the scanner sends a failure instead. */
  async open(file: string, query: Readonly<Record<string, string>>, wanted: Wanted): Promise<Download> {
    return this.#get(file, query, {}, wanted);
  }

  async get(file: string, wanted: Wanted): Promise<Download> {
    return this.#withToken((headers) => this.#get(file, {}, headers, wanted));
  }

  /** Sends a file. With HTTP 200, the body of the response is ignored, unless it is an envelope with a failure. */
  async put(file: string, { source, type, onProgress = noProgress }: Upload): Promise<void> {
    await this.#withToken(async (token) => {
      const headers = type === undefined ? token : { ...token, 'Content-Type': type };
      await this.#put(file, (moved) => {
        onProgress(0, source.size);
        const { body, streamed } = bodyOf(source, (sent) => {
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
  async putForm(file: string, form: FormData): Promise<void> {
    await this.#withToken((headers) => this.#put(file, () => ({ method: 'PUT', headers, body: form })));
  }

  async #get(
    file: string,
    query: Readonly<Record<string, string>>,
    token: Readonly<Record<string, string>>,
    wanted: Wanted,
  ): Promise<Download> {
    const target = Object.keys(query).length === 0 ? file : `${file}?${new URLSearchParams(query)}`;
    // Files are compressed already, or small. Without compression, the limit is known before anything is unpacked.
    const headers = { ...token, 'Accept-Encoding': 'identity' };
    const { response, idleTimeout } = await this.#connection.transfer(file, target, () => ({
      method: 'GET',
      headers,
    }));
    const errorOf = (error: unknown) => this.#connection.failure(file, error);
    const download = new Download({ response, idleTimeout, ...wanted, errorOf });
    if (response.status === 200 && !mayBeEnvelope(download)) return download;
    const bytes = await download.bytes();
    this.#refuse(file, response, new TextDecoder().decode(bytes));
    return new Download({
      response: new Response(bytes, { headers: response.headers }),
      idleTimeout,
      ...wanted,
      errorOf,
    });
  }

  async #put(file: string, request: FileRequest): Promise<void> {
    const { response, idleTimeout } = await this.#connection.transfer(file, file, request);
    try {
      this.#refuse(file, response, await textIn(piecesOf(response.body), longestUploadReply));
    } catch (error) {
      throw this.#connection.failure(file, error);
    } finally {
      idleTimeout.stop();
    }
  }

  /**
   * @throws TransferError for an HTTP status other than 200, ScannerError for an envelope that says no, UnreachableError if a
   *   server on the way has answered
   */
  #refuse(file: string, response: Response, text: string): void {
    const reply = { httpStatus: response.status, headers: response.headers, text };
    if (response.status !== 200)
      throw silenceIn(this.#connection.url, reply) ?? TransferError.of(file, reply);
    if (/^\s*\{\s*"header"/.test(text)) openEnvelope(this.#connection.url, file, reply);
  }

  async #withToken<T>(transfer: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
    const first = await this.#tokens.tokenIfKnown();
    if (first === undefined) return transfer({});
    try {
      return await transfer({ [sessionTokenHeader]: first });
    } catch (error) {
      if (!(error instanceof TransferError && error.httpStatus === 403)) throw error;
      // A reboot forgets tokens, and clocks differ: once more with a new one.
      this.#tokens.forget();
      return transfer({ [sessionTokenHeader]: await this.#tokens.token() });
    }
  }
}

/** A failure in an envelope is short; a whole file that is JSON is longer, or has to be looked at. */
function mayBeEnvelope({ size }: Download): boolean {
  return size !== undefined && size < 1024;
}

function noProgress(): void {}

interface Token {
  readonly token: string;
  /** On the clock of `now`. */
  readonly goodUntil: number;
}

/** Before its end by a tenth of its life, and by ten seconds at most (ms), a token is not begun with any more. */
const mostMargin = 10_000;

/**
 * The session token of one client (specification, Session token for binary transfers): fetched when it is needed,
 * and kept until shortly before it expires. `timeToLive` counts seconds. Some devices do not state it: then a token is
 * fetched for each transfer.
 */
export class SessionTokens {
  readonly #calls: Calls;
  readonly #now: () => number;
  #kept: Token | undefined;
  #coming: Promise<string> | undefined;

  /** @param now milliseconds on a clock that never goes back. */
  constructor(calls: Calls, now: () => number) {
    this.#calls = calls;
    this.#now = now;
  }

  /** A token that is good for a while. Those who ask at the same time get the same. */
  async token(): Promise<string> {
    if (this.#kept !== undefined && this.#now() < this.#kept.goodUntil) return this.#kept.token;
    this.#coming ??= this.#fetch().finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  /** The same for a transfer; undefined if the scanner knows no tokens: before 2.3.1 none are needed. */
  async tokenIfKnown(): Promise<string | undefined> {
    try {
      return await this.token();
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'notFound') return undefined;
      throw error;
    }
  }

  /** The scanner does not take it any more. */
  forget(): void {
    this.#kept = undefined;
  }

  async #fetch(): Promise<string> {
    const { name } = general.members.CreateSessionToken;
    const asked = this.#now();
    const response = await this.#calls.callAny(name);
    const { token, timeToLive } = isObject(response) ? response : {};
    if (typeof token !== 'string' || token === '') {
      throw new AnswerError(this.#calls.url, name, 'without data.token');
    }
    const life = typeof timeToLive === 'number' ? timeToLive * 1000 : 0;
    this.#kept = { token, goodUntil: asked + life - Math.min(mostMargin, life / 10) };
    return token;
  }
}
