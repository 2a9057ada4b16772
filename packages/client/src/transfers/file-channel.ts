import { sessionTokenHeader } from '@azimuth/model';
import { openEnvelope } from '../answer.js';
import type { Connection, FileRequest } from '../connection.js';
import { TransferError } from '../errors.js';
import { Download } from './download.js';
import type { SessionTokens } from './session-tokens.js';
import { bodyOf, type Progress, type Source } from './source.js';

/** What is sent under a verb, beside the token. */
interface Upload {
  readonly type?: string;
  readonly source: Source;
  readonly onProgress?: Progress;
}

/** The files of a scanner: with a session token where it knows them, and once more with a new one after HTTP 403. */
export class FileChannel {
  readonly #connection: Connection;
  readonly #tokens: SessionTokens;

  constructor(connection: Connection, tokens: SessionTokens) {
    this.#connection = connection;
    this.#tokens = tokens;
  }

  /** A file that needs no token. @throws TransferError, ScannerError where there is a failure in its place. */
  async open(file: string, query: Readonly<Record<string, string>>, onProgress: Progress): Promise<Download> {
    return this.#get(file, query, {}, onProgress);
  }

  async get(file: string, onProgress: Progress): Promise<Download> {
    return this.#withToken((headers) => this.#get(file, {}, headers, onProgress));
  }

  /** Sends a file. What a scanner answers beside HTTP 200 may be anything, but for an envelope that says no. */
  async put(file: string, { source, type, onProgress = nobody }: Upload): Promise<void> {
    await this.#withToken(async (token) => {
      const headers = type === undefined ? token : { ...token, 'Content-Type': type };
      await this.#put(file, (moved) => {
        onProgress(0, source.size);
        const { body, streamed } = bodyOf(source, (sent) => {
          moved();
          onProgress(sent, source.size);
        });
        if (!streamed) return { method: 'PUT', headers, body };
        // Without it the length would not be told, and a scanner could not turn away what is too large.
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
    const { response, patience } = await this.#connection.transfer(file, target, () => ({
      method: 'GET',
      headers,
    }));
    const download = new Download({
      response,
      patience,
      onProgress,
      errorOf: (error) => this.#connection.unreachable(error),
    });
    if (response.status === 200 && !mayBeEnvelope(download)) return download;
    const bytes = await download.bytes();
    this.#refuse(file, response, new TextDecoder().decode(bytes));
    return new Download({
      response: new Response(bytes, { headers: response.headers }),
      patience,
      onProgress,
      errorOf: (error) => this.#connection.unreachable(error),
    });
  }

  async #put(file: string, request: FileRequest): Promise<void> {
    const { response, patience } = await this.#connection.transfer(file, file, request);
    try {
      this.#refuse(file, response, await response.text());
    } finally {
      patience.end();
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

function nobody(): void {}
