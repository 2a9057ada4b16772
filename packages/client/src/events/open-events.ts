import { eventsSince, isObject } from '@azimuth/model';
import { openEnvelope } from '../answer.js';
import { longestWait, mostRetries, waitAfter } from '../back-off.js';
import type { Pause } from '../connection.js';
import { AnswerError, ClientError, RateLimitError, ScannerError, UnreachableError } from '../errors.js';
import { endpoint } from './message.js';
import {
  type EventSocket,
  HandshakeFailure,
  type OpenSocket,
  type Refusal,
  type SocketListener,
} from './socket.js';

/** The scanner pushes no events. */
export class NoEventsError extends ClientError {
  override readonly name = 'NoEventsError';

  /**
   * @param olderVersion the firmware, if it is too old for events
   * @param answer what came in place of a WebSocket: `HTTP 404`
   */
  constructor(
    readonly url: string,
    readonly olderVersion: string | undefined,
    answer: string,
  ) {
    super(
      olderVersion === undefined
        ? `${url} has no events: it answered ${answer} (events need release ${eventsSince} or newer, and no proxy that stops WebSockets)`
        : `${url} has no events: they need release ${eventsSince} or newer, this scanner runs ${olderVersion}`,
    );
  }
}

/** What events need of a scanner. */
export interface EventContext {
  /** The scanner's URL without a slash at its end. */
  readonly url: string;
  /** Milliseconds for an answer. */
  readonly timeoutMs: number;
  readonly pause: Pause;
  /** Reads a variable. */
  readonly read: (name: string) => Promise<unknown>;
  /** The platform's by default. */
  readonly openSocket?: OpenSocket;
}

/** Answers of web servers that know nothing of a WebSocket here. */
const withoutWebSocket = [200, 400, 404, 405, 426, 501];

/**
 * Connects to the events of a scanner. HTTP 429 is waited out, as for every request.
 * @throws NoEventsError, UnreachableError, RateLimitError, ScannerError, AnswerError; anything if the signal aborts
 */
export async function openEvents(
  context: EventContext,
  listener: SocketListener,
  signal: AbortSignal,
): Promise<EventSocket> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open(context, listener, signal);
    } catch (error) {
      if (!(error instanceof HandshakeFailure)) throw error;
      const { answer } = error;
      if (typeof answer === 'string' || answer.httpStatus !== 429) throw await meaningOf(context, error);
      const wait = waitAfter(attempt, answer.headers.get('Retry-After'), Date.now());
      if (attempt === mostRetries || wait > longestWait) throw new RateLimitError(endpoint, wait);
      await context.pause(wait, signal);
    }
  }
}

async function open(
  { url, timeoutMs, openSocket }: EventContext,
  listener: SocketListener,
  signal: AbortSignal,
): Promise<EventSocket> {
  const limit = AbortSignal.timeout(timeoutMs);
  const address = `${url.replace(/^http/, 'ws')}/${endpoint}`;
  try {
    const openIt = openSocket ?? (await import('#open-socket')).openSocket;
    return await openIt(address, { listener, signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    throw new UnreachableError(url, `no answer within ${timeoutMs / 1000} s`, error);
  }
}

/** What a failed handshake means for the scanner. */
async function meaningOf(
  context: EventContext,
  { answer, message, cause }: HandshakeFailure,
): Promise<ClientError> {
  const { url } = context;
  switch (answer) {
    case 'none':
      return new UnreachableError(url, message, cause);
    case 'broken':
      return new AnswerError(url, endpoint, `something other than a WebSocket (${message})`);
    case 'unknown': {
      const older = await olderVersion(context);
      return older === undefined
        ? new UnreachableError(url, message, cause)
        : new NoEventsError(url, older, '');
    }
    default:
      return refusalMeans(context, answer);
  }
}

async function refusalMeans(context: EventContext, refusal: Refusal): Promise<ClientError> {
  const { url } = context;
  const refused = statusIn(url, refusal);
  const answered = `HTTP ${refusal.httpStatus}`;
  if (refused !== undefined && refused.statusName !== 'notFound') return refused;
  if (refused === undefined && !withoutWebSocket.includes(refusal.httpStatus)) {
    return new AnswerError(url, endpoint, `${answered} instead of a WebSocket`);
  }
  return new NoEventsError(url, await olderVersion(context), answered);
}

/** The refusal in the envelope of an answer; undefined if there is no envelope. */
function statusIn(url: string, refusal: Refusal): ScannerError | undefined {
  try {
    openEnvelope(url, endpoint, refusal);
    return undefined;
  } catch (error) {
    return error instanceof ScannerError ? error : undefined;
  }
}

/** The firmware of the scanner if it is too old for events; undefined if it is not, or not known. */
async function olderVersion({ read }: EventContext): Promise<string | undefined> {
  try {
    const ident = await read('DeviceIdent');
    const version = isObject(ident) ? ident.Version : undefined;
    return typeof version === 'string' && isOlder(version, eventsSince) ? version : undefined;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

/** Is `2.1.0.0R` older than `2.3.1`? */
function isOlder(version: string, release: string): boolean {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (numbers === undefined) return false;
  for (const [index, part] of release.split('.').map(Number).entries()) {
    const own = numbers[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
