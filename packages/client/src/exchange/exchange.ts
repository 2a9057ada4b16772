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

/** A body that is longer than its limit. The rest of it was not read. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong';

  /** @param limit bytes */
  constructor(readonly limit: number) {
    super(`more than ${inUnits(limit)}`);
  }
}

/** The pieces of a body, as they come. A reader that stops early gives the connection up. */
export async function* piecesOf(
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
 * A whole body. A scanner may be anybody's: one that never stops sending must not fill the memory.
 * @param limit bytes, behind any compression
 * @throws BodyTooLong
 */
export async function bytesIn(
  pieces: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.byteLength;
    if (length > limit) throw new BodyTooLong(limit);
    kept.push(piece);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of kept) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** The same as a text in UTF-8. @throws BodyTooLong */
export async function textIn(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  return new TextDecoder().decode(await bytesIn(pieces, limit));
}

const mebibyte = 1024 * 1024;

function inUnits(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`;
}
