import type { IncomingMessage } from 'node:http';
import { isFromThisComputer, valuesOf } from '@azimuth/server';
import { keyHeader } from '../front/gateway-key.js';

// Names and values of headers alternate, as Node gives them.

/** Headers that belong to one connection, or that the gateway says anew. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'host', 'origin', 'referer', 'cookie', 'expect', keyHeader],
  ...['forwarded', 'x-forwarded-for'],
]);

/**
 * Headers of a request that are never taken over. The gateway itself says how long a body is: if the length were that of the client,
 * and left out because `Connection` names it, the worker would take the body for another request.
 */
const ownOfRequests = new Set([...ownHeaders, 'content-length']);

/** Headers of a client's request that its worker gets, and who the client is. */
export function requestHeaders(request: IncomingMessage): string[] {
  const headers = without(request.rawHeaders, ownOfRequests);
  if (!isFromThisComputer(request)) headers.push('x-forwarded-for', request.socket.remoteAddress ?? '');
  return headers;
}

/** Headers of a worker's answer that the client gets. */
export function answerHeaders({ rawHeaders }: IncomingMessage): string[] {
  return without(rawHeaders, ownHeaders);
}

/** As they are written. */
export function linesOf(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < headers.length; index += 2)
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}

/** Also without those that `Connection` names (RFC 9110 §7.6.1). */
function without(rawHeaders: readonly string[], own: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  const named = valuesOf(rawHeaders, 'connection')
    .join()
    .toLowerCase()
    .split(/\s*,\s*/);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const known = name.toLowerCase();
    if (!own.has(known) && !named.includes(known)) kept.push(name, value);
  }
  return kept;
}
