import { isObject, Refusal, type ValueType } from '@azimuth/model';
import { AnswerError, plainRefusal, refusalDetail, ScannerError, UnreachableError } from './errors.js';
import type { HttpResponse } from './exchange/exchange.js';

/** A response with status 0, without its header. */
export interface EnvelopeContent {
  /** Everything except the header: `data` or `challenge`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Opens the envelope of a response (specification, Message conventions). Its `header.status` decides. Errors name the
 * HTTP status only if there is no envelope.
 * @throws ScannerError for a status other than 0, AnswerError for anything that is not a response of a scanner.
 */
export function openEnvelope(url: string, endpoint: string, response: HttpResponse): EnvelopeContent {
  const body = parsedJson(response.text);
  if (body === undefined) throw new AnswerError(url, endpoint, otherThanJson(response));
  const header = isObject(body) ? body.header : undefined;
  if (!isObject(body) || !isObject(header) || !Number.isInteger(header.status)) {
    throw new AnswerError(url, endpoint, `JSON without header.status (${httpText(response)})`);
  }
  const status = Number(header.status);
  if (status !== 0) {
    throw new ScannerError(endpoint, status, messageText(header.message), refusalDetail(response.headers));
  }
  return { body };
}

/**
 * Checks and decodes a value in a response.
 * @throws AnswerError if it is not of that type: the interface of the scanner differs from the model.
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

function otherThanJson(response: HttpResponse): string {
  // A scanner that refuses a request before it reads it gives its reason in a header.
  const detail = refusalDetail(response.headers);
  const other = `something other than JSON (${httpText(response)})`;
  if (detail !== '') return `${other} – ${detail}`;
  // The port of a fleet gives it as text.
  const reason = plainRefusal(response);
  return reason === undefined ? other : `HTTP ${response.httpStatus}: ${reason}`;
}

function httpText({ httpStatus, headers }: HttpResponse): string {
  const type = headers.get('Content-Type');
  return type === null ? `HTTP ${httpStatus}` : `HTTP ${httpStatus}, ${type}`;
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

/** HTTP statuses with which a server on the way answers in place of a scanner (RFC 9110, 15.6.3 and 15.6.5). */
const gatewayErrors: ReadonlySet<number> = new Set([502, 504]);

/**
 * Returns the error for a scanner that is away, if a server on the way has answered for it: `azimuth gui`, the port of
 * a fleet, a proxy. Returns undefined if the scanner has answered itself: its responses have an envelope.
 */
export function gatewayError(url: string, response: HttpResponse): UnreachableError | undefined {
  if (!gatewayErrors.has(response.httpStatus) || hasEnvelope(response.text)) return undefined;
  const reason = plainRefusal(response) ?? `a server on the way answered HTTP ${response.httpStatus}`;
  return new UnreachableError(url, reason, undefined);
}

function hasEnvelope(text: string): boolean {
  const body = parsedJson(text);
  return isObject(body) && isObject(body.header);
}
