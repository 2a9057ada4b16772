import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { detailHeader, sessionTokenHeader } from '@azimuth/model';

/** What a scanner is told beside the rule. */
export interface AllowedNames {
  /** Names that it may be asked at, without port. */
  readonly hosts?: readonly string[];
  /** Origins of other places whose pages may use it: `https://panel.example`. */
  readonly origins?: readonly string[];
}

/** Why a request is refused with HTTP 403: one line that names the option that would allow it. */
export interface Refused {
  readonly counted: 'host' | 'origin';
  readonly why: string;
}

/** Top-level names that no public name server answers for (RFC 6761, 6762, 8375, and ICANN's `internal`), and `lan`. */
const privateName = /^(?:[\w-]+\.)+(?:localhost|local|internal|lan|home\.arpa)$/;
const nameWithoutDot = /^[\w-]+$/;
/** A Host header, and the authority of a target in absolute form: name or address, then perhaps a port. */
const hostAndPort = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::\d*)?$/;
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** Headers of answers, and of requests, that a page elsewhere needs beside those that browsers give and take anyway. */
const exposed = [detailHeader, 'Azimuth-Correlation', 'Content-Disposition', 'Retry-After'].join(', ');
const taken = ['Content-Type', sessionTokenHeader, 'Authorization'].join(', ');
const verbs = 'GET, HEAD, POST, PUT, OPTIONS';
/** How long (s) a browser need not ask again. */
const preflightAge = 600;

/**
 * Who may ask, by the headers that a page cannot write itself.
 *
 * A page can point a name of its own at our address (DNS rebinding): then Host is that name. So Host, and the host of a
 * target in absolute form, has to be an address or a name that no stranger can own. And a page can send requests here
 * that it may not read the answers of: then Origin says where it is from, and has to be the host that it asks. A request
 * without Origin is a program's, and one without Host (HTTP/1.0) comes from no browser.
 */
export class HostAndOrigin {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  /** What was let in last: most requests come from the same client. */
  #lastHost: string | undefined;
  #lastOrigin: string | undefined;

  constructor({ hosts = [], origins = [] }: AllowedNames = {}) {
    this.#hosts = new Set(hosts);
    this.#origins = new Set(origins);
  }

  /** Why this request is not served; undefined where it is. */
  refusalOf({ rawHeaders, url = '' }: IncomingMessage): Refused | undefined {
    let host: string | undefined;
    let origin: string | undefined;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index];
      if (name?.length === 4 && name.toLowerCase() === 'host') host = rawHeaders[index + 1];
      else if (name?.length === 6 && name.toLowerCase() === 'origin') {
        // Two of them are none of a browser's.
        origin = origin === undefined ? rawHeaders[index + 1] : '';
      }
    }
    if (!url.startsWith('/')) {
      const [, authority] = absoluteForm.exec(url) ?? [];
      if (authority !== undefined && !this.#isOurs(authority)) return foreignHost(authority);
    }
    if (host === this.#lastHost && origin === this.#lastOrigin) return undefined;
    if (host !== undefined && !this.#isOurs(host)) return foreignHost(host);
    if (origin !== undefined && !this.#origins.has(origin) && !isSame(origin, host)) {
      return foreignOrigin(origin);
    }
    this.#lastHost = host;
    this.#lastOrigin = origin;
    return undefined;
  }

  /** Tells a browser that the page of an allowed origin may read the answer (CORS); nothing where none is allowed. */
  share(request: IncomingMessage, response: ServerResponse): void {
    if (this.#origins.size === 0) return;
    const { origin } = request.headers;
    // Also where there is no Origin: whoever keeps answers must not give this one to a page.
    response.setHeader('Vary', 'Origin');
    if (origin === undefined || !this.#origins.has(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
  }

  /** Answers a browser that asks, before it sends what a page wants, whether it may; false for any other request. */
  answersPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (this.#origins.size === 0 || method !== 'OPTIONS') return false;
    const { origin, 'access-control-request-method': wanted } = headers;
    if (origin === undefined || wanted === undefined || !this.#origins.has(origin)) return false;
    response.writeHead(204, {
      'Access-Control-Allow-Methods': verbs,
      'Access-Control-Allow-Headers': taken,
      'Access-Control-Max-Age': preflightAge,
      // Asked for where a public page wants to reach a private address.
      ...(headers['access-control-request-private-network'] === undefined
        ? {}
        : { 'Access-Control-Allow-Private-Network': 'true' }),
    });
    response.end();
    return true;
  }

  #isOurs(host: string): boolean {
    const [, bracketed, plain = ''] = hostAndPort.exec(host) ?? [];
    if (bracketed !== undefined) return isIPv6(bracketed);
    const name = withoutLastDot(plain.toLowerCase());
    return isIPv4(name) || nameWithoutDot.test(name) || privateName.test(name) || this.#hosts.has(name);
  }
}

/**
 * A host name as it is compared: in lower case and ASCII, without the dot at its end; undefined for what is none, as one
 * with a port.
 */
export function hostName(typed: string): string | undefined {
  const url = `http://${typed}/`;
  if (!/^[^\s:/?#@\\*]+$/.test(typed) || !URL.canParse(url)) return undefined;
  const name = withoutLastDot(new URL(url).hostname);
  return /^[\w-]+(?:\.[\w-]+)*$/.test(name) ? name : undefined;
}

/** An origin as browsers write it; undefined for what is none, or none that tells one page from others. */
export function webOrigin(typed: string): string | undefined {
  if (!URL.canParse(typed)) return undefined;
  const { origin, protocol, host, href } = new URL(typed);
  if (host === '' || (href !== `${protocol}//${host}` && href !== `${protocol}//${host}/`)) return undefined;
  // Of other schemes, as those of browser extensions, URL tells no origin.
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

/** Is a page of this origin one of the host that it asks? Somebody in front of us may speak TLS, so either scheme is good. */
function isSame(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const its = new URL(origin);
  if (its.protocol !== 'http:' && its.protocol !== 'https:') return false;
  if (its.username !== '' || its.password !== '') return false;
  // Parsed as well, as an origin leaves a usual port out.
  const asked = `${its.protocol}//${host}`;
  return URL.canParse(asked) && new URL(asked).host === its.host;
}

function withoutLastDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function foreignHost(host: string): Refused {
  const why = `the host ${shown(host)} is none of this scanner's: ask it by its address, or start it with --allowed-host NAME`;
  return { counted: 'host', why };
}

function foreignOrigin(origin: string): Refused {
  const why = `pages of ${shown(origin)} may not use this scanner: start it with --allowed-origin ORIGIN to let them`;
  return { counted: 'origin', why };
}

/** What a client wrote, for a line of text. */
function shown(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return JSON.stringify(short.replaceAll(/[^\x20-\x7e]/g, '?'));
}
