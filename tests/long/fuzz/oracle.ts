import { messages } from '@azimuth/test-support/envelope';
import { isExpectedFailure } from '@azimuth/test-support/health';
import { isObject, object, parse } from '@azimuth/test-support/json';
import type { HttpReply } from './http-connection.js';

/** The result of an input: statuses, `page` for a reply without a status, `closed` for no reply. */
export type Outcome = number | 'page' | 'closed';

/** Checks a reply and returns its status; undefined if it has none. Throws if the scanner has misbehaved. */
export type Judge = (reply: HttpReply) => number | undefined;

/** Success, a mistake of the client, or an HTTP version that is not supported. */
function isFitting(status: number): boolean {
  return [200, 204, 501, 505].includes(status) || (status >= 400 && status < 500);
}

/**
 * Checks what holds for every reply, whatever was requested.
 * @returns the status of the envelope; undefined outside the interface.
 * @throws if the scanner has misbehaved.
 */
export function judge(reply: HttpReply): number | undefined {
  if (!isFitting(reply.status)) throw new Error(`HTTP ${reply.status}: ${reply.body.slice(0, 300)}`);
  if (reply.status === 204) return undefined;
  const type = reply.headers.get('content-type') ?? '';
  const detail = reply.headers.get('azimuth-detail');
  if (!type.startsWith('application/json')) {
    // A point cloud, if a call has recorded one.
    if (!/^(text\/|image\/|application\/octet-stream$)/.test(type)) {
      throw new Error(`content of type ${type || 'none'}`);
    }
    return undefined;
  }
  const json = object(parse(reply.body));
  const { header } = json;
  // The description and the health of the scanner are JSON without an envelope.
  if (header === undefined && (json.openapi !== undefined || json.status === 'ok')) return undefined;
  if (!isObject(header) || typeof header.status !== 'number') throw new Error(`no envelope: ${reply.body}`);
  const { status } = header;
  if (messages.get(status) === undefined || header.message !== messages.get(status)) {
    throw new Error(`not the message of the status: ${reply.body.slice(0, 300)}`);
  }
  if (Object.keys(header).length !== 2)
    throw new Error(`unknown members in the header: ${reply.body.slice(0, 300)}`);
  if (status !== 0 && Object.keys(json).length !== 1)
    throw new Error(`a refusal that carries data: ${reply.body}`);
  if ((status === 0 || status === 4) !== (detail === undefined))
    throw new Error(`status ${status}, ${detail}`);
  if (detail !== undefined && detail.length > 1300)
    throw new Error(`a detail of ${detail.length} characters`);
  if (status === 3 && !isExpectedFailure(detail ?? '')) throw new Error(`status 3: ${detail}`);
  if (status === 11) throw new Error('out of connections');
  return status;
}

export function outcomesOf(replies: readonly HttpReply[], judged: Judge = judge): readonly Outcome[] {
  return replies.length === 0 ? ['closed'] : replies.map((reply) => judged(reply) ?? 'page');
}

/** The status of a reply that has to have one. */
export function statusOf(reply: HttpReply): number {
  const status = judge(reply);
  if (status === undefined) throw new Error(`no envelope under /api: ${reply.body.slice(0, 300)}`);
  return status;
}

/** Throws unless a status is one of the allowed ones. */
export function expectOneOf(status: number, allowed: readonly number[], what: string): number {
  if (!allowed.includes(status)) {
    throw new Error(`${what}: status ${status}, expected ${allowed.join(' or ')}`);
  }
  return status;
}
