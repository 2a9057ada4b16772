import { isObject, Refusal, type ValueType } from '@azimuth/model';
import { AnswerError, detailOf, plainRefusal, ScannerError, UnreachableError } from './errors.js';
import type { Reply } from './exchange/exchange.js';

/** A reply with status 0, without its header. */
export interface Answer {
  /** Everything except the header: `data` or `challenge`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Opens the envelope of a reply (specification, Message conventions). Its `header.status` decides; the HTTP status
 * is named only if there is no envelope.
 * @throws ScannerError for a status other than 0, AnswerError for anything that is not a reply of a scanner.
 */
export function openEnvelope(url: string, endpoint: string, reply: Reply): Answer {
  const body = jsonOf(reply.text);
  if (body === undefined) throw new AnswerError(url, endpoint, otherThanJson(reply));
  const header = isObject(body) ? body.header : undefined;
  if (!isObject(body) || !isObject(header) || !Number.isInteger(header.status)) {
    throw new AnswerError(url, endpoint, `JSON without header.status (${httpText(reply)})`);
  }
  const status = Number(header.status);
  if (status !== 0) {
    throw new ScannerError(endpoint, status, messageText(header.message), detailOf(reply.headers));
  }
  return { body };
}

/**
 * Decodes the value of an answer.
 * @throws AnswerError if it is not of that type: the scanner has another interface than the model.
 */
export function checked<T>(url: string, endpoint: string, type: ValueType<T>, json: unknown): T {
  try {
    return type.fromJson(json, endpoint);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new AnswerError(url, endpoint, `a value that the interface does not allow (${error.message})`);
  }
}

function messageText(message: unknown): string {
  return typeof message === 'string' && message !== '' ? message : 'unknown status';
}

function otherThanJson(reply: Reply): string {
  // A scanner that refuses a request before it looks at it gives its reason in a header.
  const detail = detailOf(reply.headers);
  const other = `something other than JSON (${httpText(reply)})`;
  if (detail !== '') return `${other} – ${detail}`;
  // The port of a fleet gives it as text.
  const reason = plainRefusal(reply);
  return reason === undefined ? other : `HTTP ${reply.httpStatus}: ${reason}`;
}

function httpText({ httpStatus, headers }: Reply): string {
  const type = headers.get('Content-Type');
  return type === null ? `HTTP ${httpStatus}` : `HTTP ${httpStatus}, ${type}`;
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

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
