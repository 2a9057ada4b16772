import type { IncomingMessage } from 'node:http';
import type { TurnedAway } from '../metrics/traffic.js';
import { countOf } from './raw-headers.js';

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
