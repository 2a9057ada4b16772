import { type EventName, eventsPath, isObject, type ValueOf } from '@azimuth/model';
import { parsedJson } from '../envelope.js';
import { AnswerError, ClientError } from '../errors.js';

/** A message of a scanner: the answer to a registration, with the current value, or a changed value. */
export interface Message {
  readonly type: 'register' | 'event';
  readonly event: string;
  /** The object that contains `data`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The path of the WebSocket below the URL of the scanner, and its name in errors. */
export const endpoint = eventsPath.slice(1);

/** Makes a registration for an event. @param clientId is part of every message about it */
export function registration(event: string, clientId: number, { throttle, queue }: EventOptions): string {
  const throttled = throttle === undefined ? undefined : { minOutputIntervalMs: throttle };
  const options = (throttled ?? queue) === undefined ? undefined : { throttle: throttled, queue };
  return JSON.stringify({ type: 'register', event, clientId, options });
}

/**
 * Reads a message; undefined for message types that newer releases may send.
 * @param eventNamed returns the event that was registered with a `clientId`
 * @throws AnswerError for anything that is not a message of a scanner; EventRefusedError for an event that the scanner
 * does not register
 */
export function readMessage(
  url: string,
  data: string | Uint8Array,
  eventNamed: (clientId: unknown) => string | undefined,
): Message | undefined {
  const body = typeof data === 'string' ? parsedJson(data) : undefined;
  if (!isObject(body) || typeof body.type !== 'string') {
    throw new AnswerError(url, endpoint, `something other than an event message (${excerpt(data)})`);
  }
  const { type } = body;
  if (type !== 'register' && type !== 'event') return undefined;
  const event = eventNamed(body.clientId);
  if (event === undefined || body.event !== event) {
    throw new AnswerError(url, endpoint, `about an event that it was not asked for (${excerpt(data)})`);
  }
  // Only the response to a registration has to state success.
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

/** The first characters of a message, for an error. */
export function excerpt(data: string | Uint8Array): string {
  if (typeof data !== 'string') return 'binary';
  return data.length > 100 ? `${data.slice(0, 100)}…` : data;
}

/** A value that a scanner has sent. `event` names the variable and so decides the type of `data`. */
export type ScannerEvent<N extends EventName = EventName> = {
  readonly [E in N]: {
    readonly event: E;
    /** The value of the variable, as `read` returns it. */
    readonly data: ValueOf<E>;
    /** When it was received: ms since 1970, by the clock of this computer. */
    readonly at: number;
  };
}[N];

/** A value whose name is known at run time only: unchecked JSON. */
export interface AnyEvent {
  readonly event: string;
  readonly data: unknown;
  readonly at: number;
}

/** The send queue that the scanner keeps for a slow reader. */
export interface ScannerQueue {
  /** MID by default. */
  readonly priority?: 'HIGH' | 'MID' | 'LOW' | undefined;
  /** Limit for values of one event; 1 by default. */
  readonly maxSize?: number | undefined;
  /** The value that is dropped if the queue is full; OLDEST by default. */
  readonly discardIfFull?: 'OLDEST' | 'NEWEST' | undefined;
}

/** State of the connection. */
export type EventsState = 'connected' | 'lost' | 'reconnected';

/** Options for the connection of a stream of pushed values. */
export interface PushOptions {
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Connects again if the connection is lost: true by default. */
  readonly reconnect?: boolean | undefined;
  /**
   * Tries again also if nothing answers at first, as after a lost connection: false by default; then the loop rejects.
   */
  readonly retryFirst?: boolean | undefined;
  /**
   * Called when the connection is open, lost, and open again. `reason` is empty, except for `lost`. With `retryFirst`,
   * `lost` may come first.
   */
  readonly onState?: ((state: EventsState, reason: string) => void) | undefined;
}

export interface EventOptions extends PushOptions {
  /**
   * Called once for each event that the scanner does not have; the other events are still pushed. If the scanner has
   * none of them, the loop rejects with the error of the last one. Without this function, the loop rejects with the
   * error of the first one.
   */
  readonly onMissing?: ((missing: EventRefusedError) => void) | undefined;
  /** Minimum time in ms between two values of an event. The scanner drops the values between. */
  readonly throttle?: number | undefined;
  readonly queue?: ScannerQueue | undefined;
  /**
   * Time in ms between two registrations; 200 by default: devices reset the connection after a burst of registrations.
   */
  readonly pace?: number | undefined;
  /** Values that may wait for their reader; 100 by default. */
  readonly buffer?: number | undefined;
}

/** The scanner does not register an event: its release or variant has no event of this name. */
export class EventRefusedError extends ClientError {
  override readonly name = 'EventRefusedError';

  /** @param detail the reason that the scanner gives; empty if it gives none */
  constructor(
    readonly event: string,
    readonly status: number,
    readonly detail: string,
  ) {
    super(`${event}: the scanner has no such event (${status})${detail === '' ? '' : ` – ${detail}`}`);
  }
}
