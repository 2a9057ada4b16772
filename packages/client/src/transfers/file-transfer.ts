import { sessionTokenHeader } from '@azimuth/model';
import { openEnvelope } from '../answer.js';
import type { Connection, FileRequest, IdleTimeout } from '../connection.js';
import { TransferError } from '../errors.js';
import type { SessionTokens } from './session-tokens.js';

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

  /** @throws UnreachableError if the connection breaks off, or no more data arrives. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const { response, idleTimeout, onProgress, errorOf } = this.#facts;
    const reader = response.body?.getReader();
    let received = 0;
    try {
      for (;;) {
        const piece = await reader?.read();
        if (piece?.value === undefined) return;
        idleTimeout.restart();
        received += piece.value.byteLength;
        onProgress(received, this.size);
        yield piece.value;
      }
    } catch (error) {
      throw errorOf(error);
    } finally {
      idleTimeout.stop();
      // A reader that stops early releases the connection.
      await reader?.cancel().catch(() => undefined);
    }
  }

  /** The whole file. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.byteLength;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }
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
  async open(file: string, query: Readonly<Record<string, string>>, onProgress: Progress): Promise<Download> {
    return this.#get(file, query, {}, onProgress);
  }

  async get(file: string, onProgress: Progress): Promise<Download> {
    return this.#withToken((headers) => this.#get(file, {}, headers, onProgress));
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
    headers: Readonly<Record<string, string>>,
    onProgress: Progress,
  ): Promise<Download> {
    const target = Object.keys(query).length === 0 ? file : `${file}?${new URLSearchParams(query)}`;
    const { response, idleTimeout } = await this.#connection.transfer(file, target, () => ({
      method: 'GET',
      headers,
    }));
    const download = new Download({
      response,
      idleTimeout,
      onProgress,
      errorOf: (error) => this.#connection.unreachable(error),
    });
    if (response.status === 200 && !mayBeEnvelope(download)) return download;
    const bytes = await download.bytes();
    this.#refuse(file, response, new TextDecoder().decode(bytes));
    return new Download({
      response: new Response(bytes, { headers: response.headers }),
      idleTimeout,
      onProgress,
      errorOf: (error) => this.#connection.unreachable(error),
    });
  }

  async #put(file: string, request: FileRequest): Promise<void> {
    const { response, idleTimeout } = await this.#connection.transfer(file, file, request);
    try {
      this.#refuse(file, response, await response.text());
    } finally {
      idleTimeout.stop();
    }
  }

  /** @throws TransferError for an HTTP status other than 200, ScannerError for an envelope that says no. */
  #refuse(file: string, response: Response, text: string): void {
    const reply = { httpStatus: response.status, headers: response.headers, text };
    if (response.status !== 200) throw TransferError.of(file, reply);
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
