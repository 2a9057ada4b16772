import type { IncomingMessage } from 'node:http';
import {
  type ForwardedHead,
  framingOf,
  InvalidResponse,
  isFromThisComputer,
  type RequestContext,
  valuesOf,
} from '@azimuth/http';
import { sessionTokenHeader } from '@azimuth/model';

// Names and values of headers alternate, as Node gives them.

/** Headers of one connection only (RFC 9110 §7.6.1). The relay has connections of its own to both sides. */
const ofConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

/**
 * Headers of a request that the relay states itself: the scanner has another host, and knows no page of this one. Bodies come
 * unencoded, so that they can be checked.
 */
const replaced = [
  'host',
  'origin',
  'referer',
  'accept-encoding',
  'content-length',
  'expect',
  'x-forwarded-for',
];

/** Headers of a handshake, which the relay makes with each side. */
const ofHandshake = /^sec-websocket-/;

/** Headers whose values are secrets, or stand for a login. */
const secret = new Set([
  ...['authorization', 'cookie', 'set-cookie', 'proxy-authorization'],
  sessionTokenHeader.toLowerCase(),
]);

/** Returns the headers of a request for the scanner, without those of the body. */
export function headersToScanner(context: RequestContext): string[] {
  const { rawHeaders, socket } = context.request;
  const passed = without(rawHeaders, [...ofConnection, ...replaced]);
  // A scanner on this computer may give rights to programs here. Others must not get them through the relay.
  const from = isFromThisComputer(context) ? [] : ['x-forwarded-for', socket.remoteAddress ?? ''];
  return ['accept-encoding', 'identity', ...passed, ...from];
}

/** Returns the headers of a request with its body. */
export function headersWithBody(context: RequestContext): string[] {
  return [...headersToScanner(context), ...framingOf(context.request)];
}

/** Returns the headers for the handshake of a WebSocket, beside those of the handshake itself. */
export function headersOfHandshake(context: RequestContext): Record<string, string> {
  const headers: Record<string, string> = {};
  const passed = headersToScanner(context);
  for (let index = 0; index + 1 < passed.length; index += 2) {
    const name = (passed[index] ?? '').toLowerCase();
    if (!ofHandshake.test(name)) headers[name] = passed[index + 1] ?? '';
  }
  return headers;
}

/** Returns the head of a response for the program, as the scanner sent it. @throws InvalidResponse for another status */
export function headOfScanner({ statusCode = 0, rawHeaders }: IncomingMessage): ForwardedHead {
  if (!isStatusOfResponse(statusCode))
    throw new InvalidResponse(`it has answered with the status ${statusCode}`);
  return { status: statusCode, headers: endToEndHeaders(rawHeaders) };
}

/** True for a status with which a response can be complete (RFC 9110 §15). */
export function isStatusOfResponse(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** Returns the headers of a message without those of its connection. */
export function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  return without(rawHeaders, ofConnection);
}

/** Returns the headers of a message as the timeline has them. */
export function headersWithoutSecrets(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.map((text, index) => {
    const name = index % 2 === 1 ? (rawHeaders[index - 1] ?? '') : '';
    return secret.has(name.toLowerCase()) ? '(secret)' : text;
  });
}

function without(rawHeaders: readonly string[], names: readonly string[]): string[] {
  const left = new Set([...names, ...namedByConnection(rawHeaders)]);
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    if (!left.has(name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}

function namedByConnection(rawHeaders: readonly string[]): readonly string[] {
  return valuesOf(rawHeaders, 'connection')
    .join()
    .toLowerCase()
    .split(/\s*,\s*/);
}
