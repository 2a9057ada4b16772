import type { IncomingMessage, ServerResponse } from 'node:http';
import { detailHeader, sessionTokenHeader } from '@azimuth/model';

/** Names and origins that are good beside those that always are. */
export interface AllowedNames {
  /** Host names that the scanner may be asked at, without port. */
  readonly hosts?: readonly string[];
  /** Origins of other places whose pages may use it: `https://panel.example`. */
  readonly origins?: readonly string[];
}

/** Headers of answers, and of requests, that a page elsewhere needs beside those that browsers allow anyway. */
const exposed = [detailHeader, 'Azimuth-Correlation', 'Content-Disposition', 'Retry-After'].join(', ');
const accepted = ['Content-Type', sessionTokenHeader, 'Authorization'].join(', ');
const verbs = 'GET, HEAD, POST, PUT, OPTIONS';
/** How long (s) a browser need not ask again. */
const preflightAge = 600;

/** Lets pages of allowed origins read answers (CORS). */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Tells a browser that the page of an allowed origin may read the answer. */
  share(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers;
    // Also without Origin: a cache must not give this answer to a page.
    response.setHeader('Vary', 'Origin');
    if (origin === undefined || !this.#origins.has(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
  }

  /** Answers a browser that asks whether it may send what a page wants (preflight); false for any other request. */
  answersPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (method !== 'OPTIONS') return false;
    const { origin, 'access-control-request-method': wanted } = headers;
    if (origin === undefined || wanted === undefined || !this.#origins.has(origin)) return false;
    response.writeHead(204, {
      'Access-Control-Allow-Methods': verbs,
      'Access-Control-Allow-Headers': accepted,
      'Access-Control-Max-Age': preflightAge,
      // Asked for where a public page wants to reach a private address.
      ...(headers['access-control-request-private-network'] === undefined
        ? {}
        : { 'Access-Control-Allow-Private-Network': 'true' }),
    });
    response.end();
    return true;
  }
}

/**
 * A host name as it is compared: in lower case and ASCII, without the dot at its end; undefined for anything else, such
 * as a name with a port.
 */
export function hostName(typed: string): string | undefined {
  const url = `http://${typed}/`;
  if (!/^[^\s:/?#@\\*]+$/.test(typed) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return /^[\w-]+(?:\.[\w-]+)*$/.test(name) ? name : undefined;
}

/** An origin as browsers write it; undefined for anything else, or if it does not tell one page from others. */
export function webOrigin(typed: string): string | undefined {
  if (!URL.canParse(typed)) return undefined;
  const { origin, protocol, host, href } = new URL(typed);
  if (host === '' || (href !== `${protocol}//${host}` && href !== `${protocol}//${host}/`)) return undefined;
  // URL tells no origin for other schemes, such as those of browser extensions.
  return origin === 'null' ? `${protocol}//${host}` : origin;
}
