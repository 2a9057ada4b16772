/** One request with a JSON answer. */
export interface JsonRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The headers of an answer. */
export interface AnswerHeaders {
  /** Null if there is no header of this name. */
  get(name: string): string | null;
}

/** A complete HTTP response. */
export interface Reply {
  readonly httpStatus: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

/**
 * Sends a request once, and waits for the whole answer. It rejects with a TimeoutError after that many milliseconds. It
 * rejects a redirect, too: a redirected POST would arrive as a GET, and signed for another path. An answer of more than
 * 8 MiB rejects with BodyTooLong.
 */
export type Exchange = (url: string, request: JsonRequest, timeoutMs: number) => Promise<Reply>;
