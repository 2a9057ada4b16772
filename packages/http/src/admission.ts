import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { Fault } from '@azimuth/model';
import type { Connection, Connections } from './connections.js';
import type { AllowedNames, CrossOrigin } from './cross-origin.js';
import type { PortCounts, RefusalReason } from './interfaces.js';
import { mostHeaderLines } from './limits.js';
import type { RateLimit } from './network/rate-limit.js';
import { refuse, replyForbidden } from './reply.js';

/** The headers that decide whether a request is admitted. */
export interface Head {
  /** Lines of Host. */
  readonly hosts: number;
  readonly host: string | undefined;
  /** Empty if there is more than one: browsers send only one. */
  readonly origin: string | undefined;
  /** Is there a header Upgrade? */
  readonly asksForUpgrade: boolean;
}

/** Finds these headers in the raw headers, in which names and values alternate. */
export function headOf(rawHeaders: readonly string[]): Head {
  let hosts = 0;
  let host: string | undefined;
  let origin: string | undefined;
  let asksForUpgrade = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    const length = name?.length;
    if (length === 4 && name?.toLowerCase() === 'host') {
      hosts++;
      host = rawHeaders[index + 1];
    } else if (length === 6 && name?.toLowerCase() === 'origin') {
      origin = origin === undefined ? rawHeaders[index + 1] : '';
    } else if (length === 7 && name?.toLowerCase() === 'upgrade') asksForUpgrade = true;
  }
  return { hosts, host, origin, asksForUpgrade };
}

/** The values of a header in the raw headers, in which names and values alternate. */
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
 * The path of a request target, without its query, with percent-encoded letters decoded. A target in absolute form
 * counts as the path in it (RFC 9112 §3.2.2).
 */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  const query = path.indexOf('?');
  const asked = query < 0 ? path : path.slice(0, query);
  return asked.indexOf('%') < 0 ? asked : decoded(asked);
}

/**
 * Decoded once, and as a whole (RFC 3986 §2.4). An encoded slash does not separate segments: a path with one stays
 * unchanged.
 */
function decoded(path: string): string {
  if (/%2f/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Why a request is refused before it is interpreted. */
interface Refusal {
  readonly httpStatus: number;
  readonly why: string;
  readonly counted: RefusalReason;
}

const broken = (httpStatus: number, why: string): Refusal => ({ httpStatus, why, counted: 'broken' });
const wrongVersion = broken(505, 'only HTTP/1.0 and HTTP/1.1 are supported');
/** Names and values alternate. */
const mostRawHeaders = 2 * mostHeaderLines;
const tooManyHeaders = broken(431, `more than ${mostHeaderLines} headers`);
const oldChunks = broken(400, 'HTTP/1.0 has no Transfer-Encoding');
const noHost: Refusal = { httpStatus: 400, why: 'HTTP/1.1 needs the header Host', counted: 'host' };
const twoHosts: Refusal = { httpStatus: 400, why: 'the header Host may come once only', counted: 'host' };

/** Requests that node accepts although RFC 9112 (§2.3, §3.2, §6.1) forbids them, or of which it would drop headers. */
export function faultOfHead(request: IncomingMessage, { hosts }: Head): Refusal | undefined {
  if (request.httpVersionMajor !== 1) return wrongVersion;
  if (request.rawHeaders.length > mostRawHeaders) return tooManyHeaders;
  if (hosts > 1) return twoHosts;
  if (request.httpVersionMinor === 0) {
    return request.headers['transfer-encoding'] === undefined ? undefined : oldChunks;
  }
  return hosts === 0 ? noHost : undefined;
}

/** A request that names a foreign host, or comes from a page of a foreign origin: HTTP 403. */
interface Foreign {
  readonly counted: 'host' | 'origin';
  /** One line of text that names the option to allow it. */
  readonly why: string;
}

/** Top-level names that no public name server answers for (RFC 6761, 6762, 8375, and ICANN's `internal`), and `lan`. */
const privateName = /^(?:[\w-]+\.)+(?:localhost|local|internal|lan|home\.arpa)$/;
const nameWithoutDot = /^[\w-]+$/;
/** A Host header, and the authority of a target in absolute form: name or address, then perhaps a port. */
const hostAndPort = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::\d*)?$/;
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/**
 * Checks the headers that the script of a page cannot set itself. A page can point its own host name at our address
 * (DNS rebinding): then Host is that name. So Host, and the host of a target in absolute form, must be an address or a
 * name that no stranger can own. A page can also send requests whose answers it cannot read: then Origin names its
 * origin, which must be the requested host. A request without Origin comes from a program. A request without Host
 * (HTTP/1.0) comes from no browser.
 */
export class HostAndOrigin {
  readonly #hosts: ReadonlySet<string>;
  readonly #suffixes: readonly string[];
  readonly #origins: ReadonlySet<string>;
  /** The last headers that were admitted: most requests come from the same client. */
  #lastHost: string | undefined;
  #lastOrigin: string | undefined;

  constructor({ hosts = [], origins = [] }: AllowedNames = {}) {
    this.#hosts = new Set(hosts.filter((host) => !host.startsWith('.')));
    this.#suffixes = hosts.filter((host) => host.startsWith('.'));
    this.#origins = new Set(origins);
  }

  /** Returns why this request is refused; undefined if it is admitted. */
  refusalOf(request: IncomingMessage, head = headOf(request.rawHeaders)): Foreign | undefined {
    const { url = '' } = request;
    const { host, origin } = head;
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

  #isOurs(host: string): boolean {
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
 * Is this the origin of a page of the requested host? A proxy in front of us may speak TLS, so both schemes are
 * accepted.
 */
function isSame(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const its = new URL(origin);
  if (its.protocol !== 'http:' && its.protocol !== 'https:') return false;
  if (its.username !== '' || its.password !== '') return false;
  // Parsed as well: an origin leaves out a default port.
  const asked = `${its.protocol}//${host}`;
  return URL.canParse(asked) && new URL(asked).host === its.host;
}

function foreignHost(host: string): Foreign {
  const why = `unknown host ${shown(host)}: use the scanner's address, or start the scanner with --allowed-host NAME`;
  return { counted: 'host', why };
}

function foreignOrigin(origin: string): Foreign {
  const why = `web pages of ${shown(origin)} may not use this scanner: to allow them, start it with --allowed-origin ORIGIN`;
  return { counted: 'origin', why };
}

/** Shortens and escapes text of a client for one line. */
function shown(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return JSON.stringify(short.replaceAll(/[^\x20-\x7e]/g, '?'));
}

interface Options {
  readonly connections: Connections;
  readonly hostAndOrigin: HostAndOrigin;
  /** Undefined if pages of no other origin are allowed. */
  readonly crossOrigin: CrossOrigin | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly traffic: PortCounts;
}

/** Decides whether a request is served, before it is interpreted. */
export class Admission {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Is this request served? If not, this method refuses and counts it. */
  admits(request: IncomingMessage, response: ServerResponse, connection: Connection): boolean {
    const { connections, hostAndOrigin, crossOrigin, rateLimit, traffic } = this.#options;
    const { socket } = request;
    connections.noteRequest(socket);
    connection.latest = response;
    if (connections.isRefused(socket)) {
      traffic.countRefusal('connections');
      const why = 'too many connections at the same time';
      refuseAndClose(request, response, new Fault('outOfConnections', '', why));
      return false;
    }
    const head = headOf(request.rawHeaders);
    const fault = faultOfHead(request, head);
    if (fault !== undefined) {
      traffic.countRefusal(fault.counted);
      refuseAndClose(request, response, new Fault('parsingFailed', '', fault.why), fault.httpStatus);
      return false;
    }
    // The request asks for an upgrade that is not accepted. Node would lose the bytes that follow such a request.
    if (head.asksForUpgrade) response.shouldKeepAlive = false;
    const foreign = hostAndOrigin.refusalOf(request, head);
    if (foreign !== undefined) {
      traffic.countRefusal(foreign.counted);
      request.resume();
      replyForbidden(response, foreign.why);
      return false;
    }
    crossOrigin?.share(request, response);
    if (rateLimit === undefined) return true;
    const wait = rateLimit.wait(socket.remoteAddress ?? '');
    if (wait === 0) return true;
    traffic.countRefusal('rate');
    request.resume();
    response.setHeader('Retry-After', wait);
    refuse(response, new Fault('outOfConnections', '', `too many requests: try again in ${wait} s`), 429);
    return false;
  }

  /**
   * Is this request for a WebSocket upgraded? Otherwise it is served as a normal request. That includes requests that
   * will be refused, and requests that arrive before earlier answers are sent.
   */
  admitsUpgrade(request: IncomingMessage): boolean {
    const { connections, hostAndOrigin, rateLimit } = this.#options;
    const { socket } = request;
    if (hasBody(request) || connections.isRefused(socket)) return false;
    const head = headOf(request.rawHeaders);
    if (faultOfHead(request, head) !== undefined) return false;
    if (hostAndOrigin.refusalOf(request, head) !== undefined) return false;
    const connection = connections.of(socket);
    if (connection.isHeld || connection.isAnswering) return false;
    return (rateLimit?.wait(socket.remoteAddress ?? '') ?? 0) === 0;
  }
}

/** Do the headers announce a body? */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Refuses a request with the last answer of its connection. */
export function refuseAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  httpStatus?: number,
): void {
  response.shouldKeepAlive = false;
  request.resume();
  refuse(response, fault, httpStatus);
}
