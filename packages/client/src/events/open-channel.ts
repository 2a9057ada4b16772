import { openEnvelope, silenceIn } from '../answer.js';
import { longestWait, mostRetries, waitAfter } from '../back-off.js';
import type { Pause } from '../connection.js';
import {
  AnswerError,
  type ClientError,
  plainRefusal,
  RateLimitError,
  ScannerError,
  UnreachableError,
} from '../errors.js';
import {
  type EventSocket,
  HandshakeFailure,
  type OpenSocket,
  type RefusedHandshake,
  type SocketListener,
} from './socket.js';

/** A WebSocket that a scanner may have. */
export interface Channel {
  /** Its path below the URL of the scanner, and its name in errors. */
  readonly endpoint: string;
  /** With `?` in front; nothing by default. */
  readonly query?: string;
  /**
   * What it means that there is no WebSocket. undefined: the scanner may have one, and cannot be reached now.
   * @param refusal undefined if the platform does not tell what was answered
   */
  lacking(context: ChannelContext, refusal: RefusedHandshake | undefined): Promise<ClientError | undefined>;
}

/** What channels need of a scanner. */
export interface ChannelContext {
  /** The scanner's URL without a slash at its end. */
  readonly url: string;
  /** Milliseconds for an answer. */
  readonly timeoutMs: number;
  readonly pause: Pause;
  /** Before the next attempt to connect again; `pause` by default. */
  readonly reconnectPause?: Pause;
  /** Aborted when the client is closed: all its streams end. */
  readonly closing?: AbortSignal;
  /** Reads a variable. */
  readonly read: (name: string) => Promise<unknown>;
  /** The HTTP status that a GET of a path below the URL is answered with. */
  readonly httpStatusAt: (path: string) => Promise<number>;
  /** The platform's by default. */
  readonly openSocket?: OpenSocket;
}

/** Answers of web servers that know nothing of a WebSocket here. */
const withoutWebSocket = [200, 400, 404, 405, 426, 501];

/**
 * Opens a WebSocket of a scanner. HTTP 429 is waited out, as for every request.
 * @throws the error of the channel, UnreachableError, RateLimitError, ScannerError, AnswerError; anything if the signal
 * aborts
 */
export async function openChannel(
  context: ChannelContext,
  channel: Channel,
  listener: SocketListener,
  signal: AbortSignal,
): Promise<EventSocket> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open(context, channel, listener, signal);
    } catch (error) {
      if (!(error instanceof HandshakeFailure)) throw error;
      const { answer } = error;
      if (typeof answer === 'string' || answer.httpStatus !== 429) {
        throw await meaningOf(context, channel, error);
      }
      const wait = waitAfter(attempt, answer.headers.get('Retry-After'), Date.now());
      if (attempt === mostRetries || wait > longestWait) throw new RateLimitError(channel.endpoint, wait);
      await context.pause(wait, signal);
    }
  }
}

async function open(
  { url, timeoutMs, openSocket }: ChannelContext,
  { endpoint, query = '' }: Channel,
  listener: SocketListener,
  signal: AbortSignal,
): Promise<EventSocket> {
  const limit = AbortSignal.timeout(timeoutMs);
  const address = `${url.replace(/^http/, 'ws')}/${endpoint}${query}`;
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
  context: ChannelContext,
  channel: Channel,
  { answer, message, cause }: HandshakeFailure,
): Promise<ClientError> {
  const { url } = context;
  switch (answer) {
    case 'none':
      return new UnreachableError(url, message, cause);
    case 'broken':
      return new AnswerError(url, channel.endpoint, `something other than a WebSocket (${message})`);
    case 'unknown':
      return (await channel.lacking(context, undefined)) ?? new UnreachableError(url, message, cause);
    default:
      return refusalMeans(context, channel, answer);
  }
}

async function refusalMeans(
  context: ChannelContext,
  channel: Channel,
  refusal: RefusedHandshake,
): Promise<ClientError> {
  const { url } = context;
  const refused = statusIn(url, channel, refusal);
  if (refused !== undefined && refused.statusName !== 'notFound') return refused;
  const silence = silenceIn(url, refusal);
  if (silence !== undefined) return silence;
  const { httpStatus } = refusal;
  // The port of a fleet gives its reason as text.
  const reason = plainRefusal(refusal);
  const other = new AnswerError(
    url,
    channel.endpoint,
    reason === undefined ? `HTTP ${httpStatus} instead of a WebSocket` : `HTTP ${httpStatus}: ${reason}`,
  );
  if (refused === undefined && !isWithoutWebSocket(httpStatus)) return other;
  return (await channel.lacking(context, refusal)) ?? other;
}

/** Is this the HTTP status of a web server that knows nothing of a WebSocket here? */
export function isWithoutWebSocket(httpStatus: number): boolean {
  return withoutWebSocket.includes(httpStatus);
}

/** The refusal in the envelope of an answer; undefined if there is no envelope. */
function statusIn(url: string, { endpoint }: Channel, refusal: RefusedHandshake): ScannerError | undefined {
  try {
    openEnvelope(url, endpoint, refusal);
    return undefined;
  } catch (error) {
    return error instanceof ScannerError ? error : undefined;
  }
}
