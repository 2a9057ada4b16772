import { type HttpAnswer, NoAnswer } from './http-exchange.js';

/** An answer at the beginning of received bytes, and how many of them it takes. */
export interface ParsedAnswer {
  readonly answer: HttpAnswer;
  readonly length: number;
}

/** What is known of the bytes of a connection. */
export interface Received {
  readonly bytes: Buffer;
  /** True if no more will come. */
  readonly isEnd: boolean;
  /** True for the answer to HEAD, which has no body whatever its headers say. */
  readonly isHead: boolean;
}

const blankLine = Buffer.from('\r\n\r\n');

/**
 * Reads the first HTTP/1.1 answer of a connection (RFC 9112 §6.3). Undefined while it is not whole.
 * @throws NoAnswer for bytes that are no answer
 */
export function parsedAnswer({ bytes, isEnd, isHead }: Received): ParsedAnswer | undefined {
  const end = bytes.indexOf(blankLine);
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const [, code] = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first) ?? [];
  if (code === undefined) throw new NoAnswer(`the first line is not one of HTTP: ${first.slice(0, 80)}`);
  const status = Number(code);
  const headers = headersOf(lines);
  const start = end + blankLine.length;
  const whole = (body: Buffer, length: number): ParsedAnswer => ({
    answer: { status, headers, body },
    length,
  });
  if (isHead || status < 200 || status === 204 || status === 304) return whole(Buffer.alloc(0), start);
  if (/chunked/i.test(headers['transfer-encoding'] ?? '')) {
    const chunks = chunksOf(bytes, start);
    return chunks && whole(chunks.body, chunks.end);
  }
  const announced = headers['content-length'];
  if (announced === undefined) return isEnd ? whole(bytes.subarray(start), bytes.length) : undefined;
  const length = start + Number(announced);
  return bytes.length < length ? undefined : whole(bytes.subarray(start, length), length);
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new NoAnswer(`a header without a colon came: ${line.slice(0, 80)}`);
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

function chunksOf(bytes: Buffer, start: number): { readonly body: Buffer; readonly end: number } | undefined {
  const pieces: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!(size >= 0)) throw new NoAnswer('a chunk without a size came');
    const begin = lineEnd + 2;
    const end = begin + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(pieces), end };
    pieces.push(bytes.subarray(begin, begin + size));
    at = end;
  }
}
