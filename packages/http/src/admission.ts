import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { Refusal } from '@azimuth/model';
import type { RequestContext } from './connection.js';
import { type AllowedNames, CrossOrigin } from './cors.js';
import { mostHeaderLines } from './limits.js';
import type { RateLimit } from './network/rate-limit.js';
import { refuse, respondForbidden } from './responses.js';
import type { RefusalReason, Traffic } from './traffic.js';

/** The headers that decide whether a request is admitted. */
export interface Head {
  /** Lines of Host. */
  readonly hosts: number;
  readonly host: string | undefined;
  /** Empty if there is more than one Origin: browsers send only one. */
  readonly origin: string | undefined;
  /** True if there is a header Upgrade. */
  readonly requestsUpgrade: boolean;
}

/** Finds these headers in the raw headers, in which names and values alternate. */
function headOf(rawHeaders: readonly string[]): Head {
  let hosts = 0;
  let host: string | undefined;
  let origin: string | undefined;
  let requestsUpgrade = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    const length = name?.length;
    if (length === 4 && name?.toLowerCase() === 'host') {
      hosts++;
      host = rawHeaders[index + 1];
    } else if (length === 6 && name?.toLowerCase() === 'origin') {
      origin = origin === undefined ? rawHeaders[index + 1] : '';
    } else if (length === 7 && name?.toLowerCase() === 'upgrade') requestsUpgrade = true;
  }
  return { hosts, host, origin, requestsUpgrade };
}

/** Returns the values of a header in the raw headers, in which names and values alternate. */
export function valuesOf(rawHeaders: readonly string[], header: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) {
      values.push(rawHeaders[index + 1] ?? '');
    }
  }
  return values;
}

/**
 * Returns the path of a request target, without its query, with percent-encoded letters decoded. For a target in
 * absolute form, this is the path in it (RFC 9112 §3.2.2).
 */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  const query = path.indexOf('?');
  const withoutQuery = query < 0 ? path : path.slice(0, query);
  return withoutQuery.indexOf('%') < 0 ? withoutQuery : decoded(withoutQuery);
}

/**
 * Decodes a path once, and as a whole (RFC 3986 §2.4). An encoded slash does not separate segments, so a path with one
 * stays unchanged.
 */
function decoded(path: string): string {
  if (/%2f/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Refusal of a request before it is interpreted. */
export interface RefusedRequest {
  readonly httpStatus: number;
  /** One line of text. */
  readonly why: string;
  readonly counted: RefusalReason;
}

const broken = (httpStatus: number, why: string): RefusedRequest => ({ httpStatus, why, counted: 'broken' });
const wrongVersion = broken(505, 'only HTTP/1.0 and HTTP/1.1 are supported');
/** Names and values alternate. */
const mostRawHeaders = 2 * mostHeaderLines;
const tooManyHeaders = broken(431, `more than ${mostHeaderLines} headers`);
const oldChunks = broken(400, 'HTTP/1.0 has no Transfer-Encoding');
const noHost: RefusedRequest = { httpStatus: 400, why: 'HTTP/1.1 needs the header Host', counted: 'host' };
const twoHosts: RefusedRequest = {
  httpStatus: 400,
  why: 'the header Host may come once only',
  counted: 'host',
};

/**
 * Returns the refusal of a request that node accepts although RFC 9112 (§2.3, §3.2, §6.1) forbids it, or whose headers
 * node would partly drop; undefined for all others.
 */
function refusalOfHead(request: IncomingMessage, { hosts }: Head): RefusedRequest | undefined {
  if (request.httpVersionMajor !== 1) return wrongVersion;
  if (request.rawHeaders.length > mostRawHeaders) return tooManyHeaders;
  if (hosts > 1) return twoHosts;
  if (request.httpVersionMinor === 0) {
    return request.headers['transfer-encoding'] === undefined ? undefined : oldChunks;
  }
  return hosts === 0 ? noHost : undefined;
}

/** Top-level names that no public name server resolves (RFC 6761, 6762, 8375, and ICANN's `internal`), and `lan`. */
const privateName = /^(?:[\w-]+\.)+(?:localhost|local|internal|lan|home\.arpa)$/;
const nameWithoutDot = /^[\w-]+$/;
/**
 * Pattern of a Host header, and of the authority of a target in absolute form: a name or address, then an optional
 * port.
 */
const hostAndPort = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::\d*)?$/;
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/**
 * Checks the headers that the script of a page cannot set itself. A page can point its own host name at our address
 * (DNS rebinding). Host is then that name. So Host, and the host of a target in absolute form, must be an address or a
 * name that no stranger can own. A page can also send requests whose responses it cannot read. Origin then names its
 * origin, which must be the requested host. A request without Origin comes from a program. A request without Host
 * (HTTP/1.0) comes from no browser.
 */
export class HostAndOrigin {
  readonly #hosts: ReadonlySet<string>;
  readonly #suffixes: readonly string[];
  readonly #origins: ReadonlySet<string>;
  /** Headers that were admitted last: most requests come from the same client. */
  #lastHost: string | undefined;
  #lastOrigin: string | undefined;

  readonly #only: ReadonlySet<string> | undefined;

  /** @param only hosts with their ports, in lower case, that are allowed in place of all others */
  constructor({ hosts = [], origins = [] }: AllowedNames = {}, only?: ReadonlySet<string>) {
    this.#only = only;
    this.#hosts = new Set(hosts.filter((host) => !host.startsWith('.')));
    this.#suffixes = hosts.filter((host) => host.startsWith('.'));
    this.#origins = new Set(origins);
  }

  /** Returns the refusal of this request; undefined if it is admitted. */
  refusalOf(request: IncomingMessage, head = headOf(request.rawHeaders)): RefusedRequest | undefined {
    const { url = '' } = request;
    const { host, origin } = head;
    if (!url.startsWith('/')) {
      const [, authority] = absoluteForm.exec(url) ?? [];
      if (authority !== undefined && !this.#isOurs(authority)) return foreignHost(authority);
    }
    if (host !== undefined && host === this.#lastHost && origin === this.#lastOrigin) return undefined;
    if (host === undefined ? this.#only !== undefined : !this.#isOurs(host)) return foreignHost(host ?? '');
    if (origin !== undefined && !this.#origins.has(origin) && !isSame(origin, host)) {
      return foreignOrigin(origin);
    }
    this.#lastHost = host;
    this.#lastOrigin = origin;
    return undefined;
  }

  #isOurs(host: string): boolean {
    if (this.#only !== undefined) return this.#only.has(host.toLowerCase());
    const [, bracketed, plain = ''] = hostAndPort.exec(host) ?? [];
    if (bracketed !== undefined) return isIPv6(bracketed);
    const lower = plain.toLowerCase();
    const name = lower.endsWith('.') ? lower.slice(0, -1) : lower;
    return (
      isIPv4(name) ||
      nameWithoutDot.test(name) ||
      privateName.test(name) ||
      this.#hosts.has(name) ||
      this.#suffixes.some((suffix) => name.endsWith(suffix) && name.length > suffix.length)
    );
  }
}

/**
 * True if this is the origin of a page of the requested host. A proxy in front of us may speak TLS, so both schemes are
 * accepted.
 */
function isSame(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const its = new URL(origin);
  if (its.protocol !== 'http:' && its.protocol !== 'https:') return false;
  if (its.username !== '' || its.password !== '') return false;
  // The host is parsed as well, because an origin leaves out a default port.
  const requested = `${its.protocol}//${host}`;
  return URL.canParse(requested) && new URL(requested).host === its.host;
}

function foreignHost(host: string): RefusedRequest {
  const why = `unknown host ${shown(host)}: use the scanner's address, or start the scanner with --allowed-host NAME`;
  return { httpStatus: 403, counted: 'host', why };
}

function foreignOrigin(origin: string): RefusedRequest {
  const why = `web pages of ${shown(origin)} may not use this scanner: to allow them, start it with --allowed-origin ORIGIN`;
  return { httpStatus: 403, counted: 'origin', why };
}

/** Shortens and escapes text of a client for one line. */
function shown(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return JSON.stringify(short.replaceAll(/[^\x20-\x7e]/g, '?'));
}

interface AdmissionOptions {
  /** Checks the rights of the client. Without it, the receiver of the request checks them. */
  readonly check?: ((context: RequestContext, head: Head) => RefusedRequest | undefined) | undefined;
  /** Undefined if pages of other origins are not allowed. */
  readonly crossOrigin?: CrossOrigin | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** True if requests on connections above the limit are served, too. By default, they are refused. */
  readonly servesRefused?: boolean | undefined;
  readonly counts?: Traffic | undefined;
  /** Sends a refusal to the client. By default, it is sent as a scanner does. */
  readonly respond?: ((response: ServerResponse, refusal: RefusedRequest) => void) | undefined;
}

/** Returns the options for a port that may be called by these names, beside its addresses, and used by these pages. */
export function allowing(allowed: AllowedNames | undefined): Pick<AdmissionOptions, 'check' | 'crossOrigin'> {
  const names = new HostAndOrigin(allowed);
  const { origins = [] } = allowed ?? {};
  return {
    check: ({ request }, head) => names.refusalOf(request, head),
    crossOrigin: origins.length === 0 ? undefined : new CrossOrigin(origins),
  };
}

const tooManyConnections: RefusedRequest = {
  httpStatus: 503,
  why: 'too many connections at the same time',
  counted: 'connections',
};

/** Refuses in JSON, as clients of a scanner expect. A foreign page or host gets text. */
function respondInJson(response: ServerResponse, { httpStatus, why, counted }: RefusedRequest): void {
  if (httpStatus === 403) respondForbidden(response, why);
  // A scanner sends this refusal with HTTP 200.
  else if (counted === 'connections') refuse(response, new Refusal('outOfConnections', '', why));
  else
    refuse(
      response,
      new Refusal(counted === 'rate' ? 'outOfConnections' : 'parsingFailed', '', why),
      httpStatus,
    );
}

/** Refuses as a scanner does, but says nothing of the options with which it was started. */
export function refuseWithoutHint(response: ServerResponse, refusal: RefusedRequest): void {
  respondInJson(response, refusal.httpStatus === 403 ? { ...refusal, why: 'Forbidden' } : refusal);
}

/** Decides whether a request is served, before it is interpreted. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * Returns true if this request is served. Otherwise this method has responded: it refuses and counts the request, or
   * responds to a preflight request.
   */
  admits(context: RequestContext, response: ServerResponse): boolean {
    const { check, crossOrigin, rateLimit, servesRefused } = this.#options;
    const { request, connection } = context;
    const { socket } = request;
    if (servesRefused !== true && connection.isRefused)
      return this.#refuse(context, response, tooManyConnections, true);
    const head = headOf(request.rawHeaders);
    const headRefusal = refusalOfHead(request, head);
    if (headRefusal !== undefined) return this.#refuse(context, response, headRefusal, true);
    // This request for an upgrade is not accepted. Node would lose the bytes that follow such a request.
    if (head.requestsUpgrade) response.shouldKeepAlive = false;
    const foreign = check?.(context, head);
    if (foreign !== undefined) return this.#refuse(context, response, foreign);
    crossOrigin?.share(request, response);
    const wait = rateLimit?.wait(socket.remoteAddress ?? '') ?? 0;
    if (wait > 0) {
      response.setHeader('Retry-After', wait);
      const why = `too many requests: try again in ${wait} s`;
      return this.#refuse(context, response, { httpStatus: 429, why, counted: 'rate' });
    }
    if (crossOrigin?.respondsToPreflight(request, response) !== true) return true;
    request.resume();
    return false;
  }

  /**
   * Returns true if this request for a WebSocket is upgraded. Otherwise it is served as a normal request. That includes
   * requests that will be refused, and requests that arrive before earlier responses are sent.
   */
  admitsUpgrade(context: RequestContext): boolean {
    const { check, rateLimit } = this.#options;
    const { request, connection } = context;
    const { socket } = request;
    if (hasBody(request) || connection.isRefused) return false;
    const head = headOf(request.rawHeaders);
    if (refusalOfHead(request, head) !== undefined) return false;
    if (check?.(context, head) !== undefined) return false;
    if (connection.isHeld || connection.isResponding) return false;
    return (rateLimit?.wait(socket.remoteAddress ?? '') ?? 0) === 0;
  }

  /** @param isLast true for the last response of its connection */
  #refuse(
    { request }: RequestContext,
    response: ServerResponse,
    refusal: RefusedRequest,
    isLast = false,
  ): false {
    const { counts, respond = respondInJson } = this.#options;
    counts?.countRefusal(refusal.counted);
    if (isLast) response.shouldKeepAlive = false;
    request.resume();
    respond(response, refusal);
    return false;
  }
}

/** Returns true if the headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}
