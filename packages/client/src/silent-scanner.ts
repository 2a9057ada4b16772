import { isObject } from '@azimuth/model';
import { jsonOf } from './answer.js';
import { UnreachableError } from './errors.js';
import type { Reply } from './exchange/exchange.js';
import { plainRefusal } from './plain-refusal.js';

/** With what a server on the way answers for a scanner that does not (RFC 9110, 15.6.3 and 15.6.5). */
const silent: ReadonlySet<number> = new Set([502, 504]);

/**
 * The error for a scanner that is away, if a server on the way has answered for it: `azimuth gui`, the port of a fleet, a proxy.
 * Undefined if the scanner has answered itself: its answers have an envelope.
 */
export function silenceIn(url: string, reply: Reply): UnreachableError | undefined {
  if (!silent.has(reply.httpStatus) || hasEnvelope(reply.text)) return undefined;
  const reason = plainRefusal(reply) ?? `a server on the way answered HTTP ${reply.httpStatus}`;
  return new UnreachableError(url, reason, undefined);
}

function hasEnvelope(text: string): boolean {
  const body = jsonOf(text);
  return isObject(body) && isObject(body.header);
}
