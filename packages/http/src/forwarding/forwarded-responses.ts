import type { IncomingMessage } from 'node:http';
import { valuesOf } from '../admission.js';
import { isNamedHeader } from '../header-names.js';
import { headText } from '../last-responses.js';

// Names and values of headers alternate, as Node gives them.

const jsonType = 'application/json';
const textType = 'text/plain; charset=utf-8';

/** Content of a response, by the path that it is from. */
export interface Content {
  readonly mediaType: string;
  /** Name under which the content is saved; undefined if it is not a file. */
  readonly fileName?: string | undefined;
}

/** Headers of a scanner's response that a client gets. Other headers are not forwarded. */
const passed: ReadonlySet<string> = new Set(['allow', 'content-length', 'retry-after']);

/** Headers of a WebSocket handshake, beside `Connection` and `Upgrade`. */
const passedOfUpgrade = new Set([
  'sec-websocket-accept',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
]);

/**
 * Policy for responses, which are data even if a browser shows them: their scripts do not run, and they have no origin.
 */
export const dataPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Headers of every response that is forwarded. */
const fixed = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', dataPolicy],
  ...['Cache-Control', 'no-store'],
];

/** Error for a response that no scanner sends. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

/** Head of a response for the client. */
export interface ForwardedHead {
  readonly status: number;
  readonly headers: string[];
}

/**
 * Returns the head of a response for the client. The content type follows from the path, not from what the scanner
 * says. It is never a document.
 * @param content the content of the requested path
 * @throws InvalidResponse if it redirects, or its status is invalid
 */
export function headOfResponse(
  { statusCode = 0, rawHeaders }: IncomingMessage,
  content: Content,
): ForwardedHead {
  if (statusCode < 200 || statusCode > 599)
    throw new InvalidResponse(`it has answered with the status ${statusCode}`);
  if (statusCode >= 300 && statusCode < 400)
    throw new InvalidResponse(`it redirects with HTTP ${statusCode}, which no scanner does`);
  const headers = [...selectedHeaders(rawHeaders, passed), ...fixed];
  if (statusCode !== 204) headers.push(...contentHeaders(statusCode, declaredIn(rawHeaders), content));
  return { status: statusCode, headers };
}

/** Returns the head of a response that makes the connection a WebSocket, as it is written. */
export function headOfWebSocket({ rawHeaders }: IncomingMessage): string {
  const headers = [
    'Connection',
    'Upgrade',
    'Upgrade',
    'websocket',
    ...selectedHeaders(rawHeaders, passedOfUpgrade),
  ];
  return headText(101, headers);
}

/** Returns the head of a response that ends its connection, as it is written. */
export function lastHead({ status, headers }: ForwardedHead): string {
  return headText(status, [...headers, 'Connection', 'close']);
}

function contentHeaders(
  status: number,
  declared: string,
  { mediaType, fileName }: Content,
): readonly string[] {
  const isJson = declared.startsWith(jsonType);
  // Refusals are text or JSON on every path, as are those of ports in between.
  if (status >= 400) return ['Content-Type', isJson ? jsonType : textType];
  if (fileName === undefined) return ['Content-Type', mediaType];
  return [
    ...['Content-Type', isJson ? jsonType : mediaType],
    ...['Content-Disposition', `attachment; filename="${fileName}"`],
  ];
}

function declaredIn(rawHeaders: readonly string[]): string {
  return (valuesOf(rawHeaders, 'content-type')[0] ?? '').toLowerCase();
}

function selectedHeaders(rawHeaders: readonly string[], names: ReadonlySet<string>): string[] {
  const selected: string[] = [];
  const seen = new Set<string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const known = name.toLowerCase();
    if ((!names.has(known) && !isNamedHeader(known)) || seen.has(known)) continue;
    seen.add(known);
    selected.push(name, value);
  }
  return selected;
}
