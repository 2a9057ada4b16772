/** One request with a JSON answer. */
export interface JsonRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The headers of an answer. */
export interface ResponseHeaders {
  /** Returns the value of a header; null if there is no header of this name. */
  get(name: string): string | null;
  /** The names of all headers, in lower case. */
  keys(): Iterable<string>;
}

/** A complete HTTP response. */
export interface HttpResponse {
  readonly httpStatus: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
}

/** How connections are opened in Node. Browsers decide this themselves. */
export interface Dial {
  /** Resolves host names, as `lookup` of node:net. Addresses are not resolved. */
  readonly lookup?:
    | ((
        hostname: string,
        options: { readonly all?: boolean | undefined },
        callback: (
          error: Error | null,
          address: string | { address: string; family: number }[],
          family?: number,
        ) => void,
      ) => void)
    | undefined;
  /** Certificates (PEM) of authorities that are trusted in place of those of the system. */
  readonly ca?: string | undefined;
  /** Breaks off all requests and connections. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request once, and waits for the whole response. It rejects with a TimeoutError after that many milliseconds.
 * It also rejects a redirect: a redirected POST would arrive as a GET, signed for another path. A response of more
 * than 8 MiB rejects with BodyTooLong.
 */
export type Exchange = (
  url: string,
  request: JsonRequest,
  timeoutMs: number,
  dial?: Dial,
) => Promise<HttpResponse>;

/** A body is longer than its limit. The rest of it was not read. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong';

  /** @param limit bytes */
  constructor(readonly limit: number) {
    super(`more than ${inUnits(limit)}`);
  }
}

/** Yields the pieces of a body as they arrive. If the reader stops early, the connection is closed. */
export async function* bodyPieces(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Not every browser can iterate over a stream.
  const reader = body?.getReader();
  try {
    for (;;) {
      const piece = await reader?.read();
      if (piece?.value === undefined) return;
      yield piece.value;
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/**
 * Reads a whole body. The scanner may be hostile: endless data must not fill the memory.
 * @param limit bytes after decompression
 * @throws BodyTooLong
 */
export async function bytesIn(
  pieces: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const received: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.byteLength;
    if (length > limit) throw new BodyTooLong(limit);
    received.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of received) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** Reads a whole body as a text in UTF-8. @throws BodyTooLong */
export async function textIn(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  return new TextDecoder().decode(await bytesIn(pieces, limit));
}

const mebibyte = 1024 * 1024;

function inUnits(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`;
}
