import type { IncomingMessage } from 'node:http';
import { sessionTokenHeader } from '@azimuth/model';
import { valuesOf } from '../admission.js';
import type { RequestContext } from '../connection.js';
import { isFromThisComputer } from '../loopback-clients.js';

// Names and values of headers alternate, as Node gives them.

/** Headers of a request that a port forwards to a scanner. Other headers are not forwarded. */
const passed = new Set([
  ...[
    'accept',
    'authorization',
    'content-type',
    'user-agent',
    'x-request-id',
    sessionTokenHeader.toLowerCase(),
  ],
  ...['sec-websocket-extensions', 'sec-websocket-key', 'sec-websocket-protocol', 'sec-websocket-version'],
]);

/**
 * Returns the headers for the scanner: those of the client's request that it needs, and the address of the client. The
 * port sets the length of the body itself. With the client's length, the scanner might take the body for another
 * request.
 */
export function requestHeaders(context: RequestContext): string[] {
  const { rawHeaders, socket } = context.request;
  const headers: string[] = ['accept-encoding', 'identity'];
  const named = namedByConnection(rawHeaders);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const known = name.toLowerCase();
    if (passed.has(known) && !named.has(known)) headers.push(name, value);
  }
  if (!isFromThisComputer(context)) headers.push('x-forwarded-for', socket.remoteAddress ?? '');
  return headers;
}

/** Returns the headers that delimit the body of the request, for the scanner. Empty if there is no body. */
export function framingOf({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const length = headers['content-length'];
  if (length !== undefined) return ['content-length', length];
  return headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked'];
}

/** Returns the names of headers that belong to one connection only (RFC 9110 §7.6.1). */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  const values = valuesOf(rawHeaders, 'connection');
  if (values.length === 0) return noNames;
  return new Set(
    values
      .join()
      .toLowerCase()
      .split(/\s*,\s*/),
  );
}

const noNames: ReadonlySet<string> = new Set();

/**
 * Values of `Sec-Fetch-Dest` in requests of scripts. Documents, frames, scripts, styles and pictures have other values.
 */
const scriptDestinations = new Set(['empty', 'websocket']);

/**
 * Returns the reason why a browser may not read this from a scanner; undefined if it may, and for programs. Browsers
 * state the purpose of a request, and no page can change that. Only the scripts of our own pages may read responses of
 * scanners.
 */
export function refusalOfBrowser(request: IncomingMessage): string | undefined {
  const { headers } = request;
  if (requestsServiceWorker(request)) return noServiceWorker;
  const { 'sec-fetch-mode': mode = 'cors', 'sec-fetch-dest': dest = 'empty', origin } = headers;
  // Programs send none of them.
  if (mode === 'cors' && dest === 'empty' && headers['sec-fetch-site'] === undefined) return undefined;
  if (/navigate/i.test(String(mode)) || !scriptDestinations.has(String(dest).toLowerCase()))
    return 'What a scanner answers is shown by the pages of this server, and is no page: use them, or a program as curl.';
  const site = String(headers['sec-fetch-site'] ?? 'same-origin').toLowerCase();
  // The origin of a page is checked where the request comes in. Without an origin, a foreign page only embeds the
  // response.
  if (site !== 'same-origin' && site !== 'none' && origin === undefined)
    return 'Pages of other origins may not ask a scanner through this server.';
  return undefined;
}

export const noServiceWorker = 'Nothing here is the script of a service worker.';

export function requestsServiceWorker({ headers }: IncomingMessage): boolean {
  return headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker';
}
