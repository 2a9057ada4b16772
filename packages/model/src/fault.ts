import { type Status, statuses } from './status.js';

/**
 * A caller's mistake, or a refusal: it carries the status that the wire answers with.
 * Anything else that is thrown is a bug of ours and answered with status 3.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly status: Status;
  /** Where in the payload: `EtherIPAddress[2]`; empty when no place in it is meant. */
  readonly at: string;
  /** What was expected and what came. */
  readonly reason: string;

  constructor(status: Status, at: string, reason: string) {
    super(at === '' ? reason : `${at}: ${reason}`);
    this.status = status;
    this.at = at;
    this.reason = reason;
  }

  /** The number in `header.status`. */
  get code(): number {
    return statuses[this.status].code;
  }
}

/** How a JSON value is named in a fault: its type, and the value itself where it is short and no text. */
export function spoken(json: unknown): string {
  if (json === null) return 'null';
  if (json === undefined) return 'nothing';
  if (Array.isArray(json)) return `an array of ${json.length}`;
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  // A text may be a secret: only its length is ever told.
  if (typeof json === 'string') return `a string of ${json.length}`;
  return 'an object';
}

/** Is this JSON value an object, neither null nor an array? */
export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
