import { eventsPath, isObject } from '@azimuth/model';
import { jsonOf } from '../answer.js';
import { AnswerError } from '../errors.js';
import { EventRefusedError } from './event-refused.js';
import type { EventOptions } from './scanner-event.js';

/** A message of a scanner: the answer to a registration, with the current value, or a changed value. */
export interface Message {
  readonly type: 'register' | 'event';
  readonly event: string;
  /** The object that holds `data`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The path of the WebSocket below the URL of the scanner, and its name in errors. */
export const endpoint = eventsPath.slice(1);

/** Asks for an event. @param clientId is part of every message about it */
export function registration(event: string, clientId: number, { throttle, queue }: EventOptions): string {
  const throttled = throttle === undefined ? undefined : { minOutputIntervalMs: throttle };
  const options = (throttled ?? queue) === undefined ? undefined : { throttle: throttled, queue };
  return JSON.stringify({ type: 'register', event, clientId, options });
}

/**
 * Reads a message. Messages of other types, as newer releases may send them, are undefined.
 * @param nameOf the event that was asked for with a `clientId`
 * @throws AnswerError for anything that is not a message of a scanner; EventRefusedError for an event that the scanner
 * does not register
 */
export function readMessage(
  url: string,
  data: string | Uint8Array,
  nameOf: (clientId: unknown) => string | undefined,
): Message | undefined {
  const body = typeof data === 'string' ? jsonOf(data) : undefined;
  if (!isObject(body) || typeof body.type !== 'string') {
    throw new AnswerError(url, endpoint, `something other than an event message (${excerpt(data)})`);
  }
  const { type } = body;
  if (type !== 'register' && type !== 'event') return undefined;
  const event = nameOf(body.clientId);
  if (event === undefined || body.event !== event) {
    throw new AnswerError(url, endpoint, `about an event that it was not asked for (${excerpt(data)})`);
  }
  // Only a registration has to say whether it was done.
  const status = type === 'event' ? (body.status ?? 0) : body.status;
  if (!Number.isInteger(status)) {
    throw new AnswerError(url, event, `a registration without a status (${excerpt(data)})`);
  }
  if (status !== 0) {
    const why = typeof body.error === 'string' ? body.error : '';
    throw new EventRefusedError(event, Number(status), why);
  }
  return { type, event, body };
}

/** Enough of a message to know it by. */
export function excerpt(data: string | Uint8Array): string {
  if (typeof data !== 'string') return 'binary';
  return data.length > 100 ? `${data.slice(0, 100)}…` : data;
}
