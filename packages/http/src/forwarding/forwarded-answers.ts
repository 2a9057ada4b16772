import type { IncomingMessage } from 'node:http';
import { correlationHeader, detailHeader } from '@azimuth/model';
import { valuesOf } from '../admission.js';
import { headText } from '../last-answers.js';

// Names and values of headers alternate, as Node gives them.

const json = 'application/json';
const text = 'text/plain; charset=utf-8';

/** What an answer consists of, by the path that it is from. */
export interface Content {
  readonly mediaType: string;
  /** The name under which it is saved; undefined for what is no file. */
  readonly fileName?: string | undefined;
}

/** What a client learns from the headers of a scanner's answer. No other header is passed on. */
const passed = new Set([
  ...['allow', correlationHeader.toLowerCase(), detailHeader.toLowerCase()],
  ...['content-length', 'retry-after'],
]);

/** What makes a connection a WebSocket, beside `Connection` and `Upgrade`. */
const passedOfUpgrade = new Set([
  'sec-websocket-accept',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
]);

/** An answer is data, also if a browser shows it: no script of it runs, and it is of no origin. */
export const dataPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer that is forwarded. */
const fixed = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', dataPolicy],
  ...['Cache-Control', 'no-store'],
];

/** A scanner has answered what no scanner answers. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The head of an answer for the client. */
export interface ForwardedHead {
  readonly status: number;
  readonly headers: string[];
}

/**
 * What the client gets of the head of an answer. What its content is follows from the path, and not from what the scanner says: it
 * is never a document.
 * @param content by the path that was asked for
 * @throws NoAnswer if it redirects, or its status is none
 */
export function headOfAnswer(
  { statusCode = 0, rawHeaders }: IncomingMessage,
  content: Content,
): ForwardedHead {
  if (statusCode < 200 || statusCode > 599)
    throw new NoAnswer(`it has answered with the status ${statusCode}`);
  if (statusCode >= 300 && statusCode < 400)
    throw new NoAnswer(`it redirects with HTTP ${statusCode}, which no scanner does`);
  const headers = [...taken(rawHeaders, passed), ...fixed];
  if (statusCode !== 204) headers.push(...contentHeaders(statusCode, declaredIn(rawHeaders), content));
  return { status: statusCode, headers };
}

/** What the client gets of the head of an answer that makes the connection a WebSocket, as it is written. */
export function headOfWebSocket({ rawHeaders }: IncomingMessage): string {
  const headers = ['Connection', 'Upgrade', 'Upgrade', 'websocket', ...taken(rawHeaders, passedOfUpgrade)];
  return headText(101, headers);
}

/** The head of an answer that ends its connection, as it is written. */
export function lastHead({ status, headers }: ForwardedHead): string {
  return headText(status, [...headers, 'Connection', 'close']);
}

function contentHeaders(
  status: number,
  declared: string,
  { mediaType, fileName }: Content,
): readonly string[] {
  const isJson = declared.startsWith(json);
  // Refusals are text or JSON on every path, as those of a port on the way are.
  if (status >= 400) return ['Content-Type', isJson ? json : text];
  if (fileName === undefined) return ['Content-Type', mediaType];
  return [
    ...['Content-Type', isJson ? json : mediaType],
    ...['Content-Disposition', `attachment; filename="${fileName}"`],
  ];
}

function declaredIn(rawHeaders: readonly string[]): string {
  return (valuesOf(rawHeaders, 'content-type')[0] ?? '').toLowerCase();
}

function taken(rawHeaders: readonly string[], names: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const known = name.toLowerCase();
    if (!names.has(known) || seen.has(known)) continue;
    seen.add(known);
    found.push(name, value);
  }
  return found;
}
