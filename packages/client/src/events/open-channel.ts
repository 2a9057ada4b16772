import { maxRetries, maxWait, waitAfter } from '../back-off.js';
import type { Pause } from '../connection.js';
import { gatewayError, openEnvelope } from '../envelope.js';
import {
  AnswerError,
  type ClientError,
  plainRefusal,
  RateLimitError,
  ScannerError,
  UnreachableError,
} from '../errors.js';
import type { Dial } from '../exchange/exchange.js';
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
  /** Query of the URL, with `?` in front; nothing by default. */
  readonly query?: string;
  /**
   * Returns the error for a scanner without this WebSocket; undefined if the scanner may have it and only cannot be
   * reached now.
   * @param refusal undefined if the platform does not tell the response
   */
  missingError(
    context: ChannelContext,
    refusal: RefusedHandshake | undefined,
  ): Promise<ClientError | undefined>;
}

/** The functions and facts of a scanner that channels need. */
export interface ChannelContext {
  /** The scanner's URL without a slash at its end. */
  readonly url: string;
  /** Time limit for a response in ms. */
  readonly timeoutMs: number;
  readonly pause: Pause;
  /** The wait before the next attempt to connect again; `pause` by default. */
  readonly reconnectPause?: Pause;
  /** Aborted when the client is closed: all its streams end. */
  readonly closing?: AbortSignal;
  /** Reads a variable. */
  readonly read: (name: string) => Promise<unknown>;
  /** Returns the HTTP status of a GET of a path below the URL. */
  readonly httpStatusAt: (path: string) => Promise<number>;
  /** How the connection is opened; by default, as by the platform. */
  readonly dial?: Dial | undefined;
  /** Opens the socket; by default, with the platform's WebSocket. */
  readonly openSocket?: OpenSocket;
}

/** HTTP statuses of web servers that have no WebSocket at this path. */
const statusesWithoutWebSocket = [200, 400, 404, 405, 426, 501];

/**
 * Opens a WebSocket of a scanner. After HTTP 429 it waits and tries again, as every request does.
 * @throws the error of the channel, UnreachableError, RateLimitError, ScannerError, AnswerError; any error if the
 * signal is aborted
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
      const { response } = error;
      if (typeof response === 'string' || response.httpStatus !== 429) {
        throw await handshakeError(context, channel, error);
      }
      const wait = waitAfter(attempt, response.headers.get('Retry-After'), Date.now());
      if (attempt === maxRetries || wait > maxWait) throw new RateLimitError(channel.endpoint, wait);
      await context.pause(wait, signal);
    }
  }
}

async function open(
  { url, timeoutMs, openSocket, dial }: ChannelContext,
  { endpoint, query = '' }: Channel,
  listener: SocketListener,
  signal: AbortSignal,
): Promise<EventSocket> {
  const limit = AbortSignal.timeout(timeoutMs);
  const address = `${url.replace(/^http/, 'ws')}/${endpoint}${query}`;
  try {
    const openIt = openSocket ?? (await import('#open-socket')).openSocket;
    return await openIt(address, { listener, signal: AbortSignal.any([signal, limit]), dial });
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    throw new UnreachableError(url, `no answer within ${timeoutMs / 1000} s`, error);
  }
}

/** Returns the error for a refused handshake. */
async function handshakeError(
  context: ChannelContext,
  channel: Channel,
  { response, message, cause }: HandshakeFailure,
): Promise<ClientError> {
  const { url } = context;
  switch (response) {
    case 'none':
      return new UnreachableError(url, message, cause);
    case 'broken':
      return new AnswerError(url, channel.endpoint, `something other than a WebSocket (${message})`);
    case 'unknown':
      return (await channel.missingError(context, undefined)) ?? new UnreachableError(url, message, cause);
    default:
      return refusalError(context, channel, response);
  }
}

async function refusalError(
  context: ChannelContext,
  channel: Channel,
  refusal: RefusedHandshake,
): Promise<ClientError> {
  const { url } = context;
  const refused = refusalIn(url, channel, refusal);
  if (refused !== undefined && refused.statusName !== 'notFound') return refused;
  const silence = gatewayError(url, refusal);
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
  return (await channel.missingError(context, refusal)) ?? other;
}

/** True for the HTTP status of a web server that has no WebSocket at this path. */
export function isWithoutWebSocket(httpStatus: number): boolean {
  return statusesWithoutWebSocket.includes(httpStatus);
}

/** Returns the refusal in the envelope of a response; undefined if there is no envelope. */
function refusalIn(url: string, { endpoint }: Channel, refusal: RefusedHandshake): ScannerError | undefined {
  try {
    openEnvelope(url, endpoint, refusal);
    return undefined;
  } catch (error) {
    return error instanceof ScannerError ? error : undefined;
  }
}
