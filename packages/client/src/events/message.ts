import { type EventName, eventsPath, isObject, type ValueOf } from '@azimuth/model';
import { jsonOf } from '../answer.js';
import { AnswerError, ClientError } from '../errors.js';

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

/** A value that a scanner has sent. `event` names the variable, and so the type of `data`. */
export type ScannerEvent<N extends EventName = EventName> = {
  readonly [E in N]: {
    readonly event: E;
    /** The value of the variable, as `read` gives it. */
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

/** What the scanner keeps for a reader that is slower than it. */
export interface ScannerQueue {
  /** MID by default. */
  readonly priority?: 'HIGH' | 'MID' | 'LOW' | undefined;
  /** Values of one event; 1 by default. */
  readonly maxSize?: number | undefined;
  /** What is dropped if it is full; OLDEST by default. */
  readonly discardIfFull?: 'OLDEST' | 'NEWEST' | undefined;
}

/** What has become of the connection. */
export type EventsState = 'connected' | 'lost' | 'reconnected';

/** How a stream of pushed values deals with its connection. */
export interface PushOptions {
  /** Ends the loop, as leaving it does. */
  readonly signal?: AbortSignal | undefined;
  /** Connect again if the connection is lost: true by default. */
  readonly reconnect?: boolean | undefined;
  /** Go on trying also if nothing answers at first, as after a loss: false by default, so that it is an error. */
  readonly retryFirst?: boolean | undefined;
  /**
   * Called when the connection is open, lost, and open again. `reason` is empty, except for `lost`. With `retryFirst`,
   * `lost` may come first.
   */
  readonly onState?: ((state: EventsState, reason: string) => void) | undefined;
}

export interface EventOptions extends PushOptions {
  /**
   * Called once for each event that the scanner does not have; the others are pushed all the same. If it has none of
   * them, the loop ends with the error of the last one. By default, it ends with the error of the first one.
   */
  readonly onMissing?: ((missing: EventRefusedError) => void) | undefined;
  /** The scanner leaves at least so many ms between two values of an event, and drops those between. */
  readonly throttle?: number | undefined;
  readonly queue?: ScannerQueue | undefined;
  /** ms between two registrations; 200 by default: devices reset the connection on a burst of them. */
  readonly pace?: number | undefined;
  /** Values that may wait for their reader; 100 by default. */
  readonly buffer?: number | undefined;
}

/** The scanner does not register an event: its release or variant has none of this name. */
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
