import type { IncomingMessage } from 'node:http';
import type { TurnedAway } from '../traffic/traffic.js';

/** How often a header comes, as its lines came. */
export function countOf(rawHeaders: readonly string[], header: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) count++;
  }
  return count;
}

/**
 * The values of a header, from the lines as they came: names and values alternate. Node's `headers` are made when they
 * are first asked for, which takes longer than most requests have reason to wait.
 */
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

/** Once, and as a whole (RFC 3986 §2.4). An encoded slash parts nothing: a path with one stays as it came. */
function decoded(path: string): string {
  if (/%2f/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Header lines in one request. Node has those above 2000 in `rawHeaders` at best, and drops them from `headers`. */
export const mostHeaders = 200;

/** Why a request cannot be served, and the HTTP status that says so. */
export interface Objection {
  readonly httpStatus: number;
  readonly why: string;
  readonly counted: TurnedAway;
}

const broken = (httpStatus: number, why: string): Objection => ({ httpStatus, why, counted: 'broken' });
const wrongVersion = broken(505, 'HTTP/1.0 and HTTP/1.1 are spoken here');
const tooManyHeaders = broken(431, `more than ${mostHeaders} headers`);
const oldChunks = broken(400, 'HTTP/1.0 has no Transfer-Encoding');
const noHost: Objection = { httpStatus: 400, why: 'HTTP/1.1 needs the header Host', counted: 'host' };
const twoHosts: Objection = { httpStatus: 400, why: 'the header Host may come once only', counted: 'host' };

/** What node lets through and RFC 9112 (§2.3, §3.2, §6.1) does not, or what would not be seen whole. */
export function objectionTo(request: IncomingMessage): Objection | undefined {
  if (request.httpVersionMajor !== 1) return wrongVersion;
  const { rawHeaders } = request;
  if (rawHeaders.length > 2 * mostHeaders) return tooManyHeaders;
  const hosts = countOf(rawHeaders, 'host');
  if (hosts > 1) return twoHosts;
  if (request.httpVersionMinor === 0) {
    return request.headers['transfer-encoding'] === undefined ? undefined : oldChunks;
  }
  return hosts === 0 ? noHost : undefined;
}
