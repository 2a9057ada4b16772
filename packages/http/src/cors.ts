import type { IncomingMessage, ServerResponse } from 'node:http';
import { sessionTokenHeader } from '@azimuth/model';
import { ownHeadersOf } from './header-names.js';
import { preflightAge } from './limits.js';

/** Host names and origins that are allowed in addition to the standard ones. */
export interface AllowedNames {
  /** Allowed host names, without port; all names below one that begins with a dot: `.scanners.svc`. */
  readonly hosts?: readonly string[] | undefined;
  /** Allowed origins of pages on other hosts: `https://panel.example`. */
  readonly origins?: readonly string[] | undefined;
  /**
   * True if programs on this computer have rights of their own, as for the simulation. By default they have, unless
   * host names are allowed: a proxy is then in front, which may not show.
   */
  readonly localRights?: boolean | undefined;
}

/**
 * Headers of responses and requests that pages of other origins need in addition to those that browsers always allow.
 */
function exposedBy(response: ServerResponse): string {
  const own = Object.values(ownHeadersOf(response) ?? {});
  return [...own, 'Content-Disposition', 'Retry-After'].join(', ');
}

const accepted = ['Content-Type', sessionTokenHeader, 'Authorization'].join(', ');
const verbs = 'GET, HEAD, POST, PUT, OPTIONS';

/** Lets pages of allowed origins read responses (CORS). */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Sets the header that lets the page of an allowed origin read the response. */
  share(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers;
    // Set even without Origin: a cache must not give this response to a page.
    response.setHeader('Vary', 'Origin');
    if (origin === undefined || !this.#origins.has(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposedBy(response));
  }

  /**
   * Responds to a preflight request, in which a browser asks if a page may send its request. Returns false for any
   * other request.
   */
  respondsToPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (method !== 'OPTIONS') return false;
    const { origin, 'access-control-request-method': requestedMethod } = headers;
    if (origin === undefined || requestedMethod === undefined || !this.#origins.has(origin)) return false;
    response.writeHead(204, {
      'Access-Control-Allow-Methods': verbs,
      'Access-Control-Allow-Headers': accepted,
      'Access-Control-Max-Age': preflightAge,
      // Requested when a public page wants to reach a private address.
      ...(headers['access-control-request-private-network'] === undefined
        ? {}
        : { 'Access-Control-Allow-Private-Network': 'true' }),
    });
    response.end();
    return true;
  }
}

/**
 * Normalises a host name: lower case, ASCII, without a dot at the end. `.name` and `*.name`, which mean all names below it,
 * become `.name`. Undefined for anything else, such as a name with a port.
 */
export function hostName(typed: string): string | undefined {
  const [, below] = /^\*?(\.[^.*].*)$/.exec(typed) ?? [];
  if (below !== undefined) {
    const name = hostName(below.slice(1));
    return name === undefined ? undefined : `.${name}`;
  }
  const url = `http://${typed}/`;
  if (!/^[^\s:/?#@\\*]+$/.test(typed) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return /^[\w-]+(?:\.[\w-]+)*$/.test(name) ? name : undefined;
}

/**
 * Normalises an origin as browsers write it; undefined for anything else, and for origins that identify no single site.
 */
export function webOrigin(typed: string): string | undefined {
  if (!URL.canParse(typed)) return undefined;
  const { origin, protocol, host, href } = new URL(typed);
  if (host === '' || (href !== `${protocol}//${host}` && href !== `${protocol}//${host}/`)) return undefined;
  // URL returns the origin `null` for other schemes, such as those of browser extensions.
  return origin === 'null' ? `${protocol}//${host}` : origin;
}
