import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import type { LogEntry } from '../../log/log-entry.js';
import { type OutputBasics, QueuedOutput } from '../queued-output.js';
import { ItemRefused, OutputEnded, SendLater } from '../send-queue.js';
import { webhookHeaders } from './signature.js';
import { webhookBody } from './webhook-body.js';

export interface WebhookOptions extends OutputBasics {
  /** Its path may be a secret: no message shows it. */
  readonly url: string;
  readonly secret?: Buffer | undefined;
  /** For `Authorization: Bearer …`. */
  readonly token?: string | undefined;
  /** Authorities for HTTPS, in PEM; those of Node if undefined. */
  readonly ca?: string | undefined;
}

/** Maximum bytes of a response that are read. */
const mostBytes = 64 * 1024;

/** Longest pause that a server may ask for, in ms. */
const longestPause = 3_600_000;

/** Responses to a message that would be refused for ever: what is in it is not accepted. */
const refusals: readonly number[] = [400, 413, 415, 422];

/** Returns an output that posts each entry to a URL. */
export function webhookOutput(options: WebhookOptions): QueuedOutput {
  const url = new URL(options.url);
  const isTls = url.protocol === 'https:';
  const connections = { keepAlive: true, maxSockets: 1 };
  const agent = isTls ? new TlsAgent({ ...connections, ca: options.ca }) : new Agent(connections);
  const ids = new WeakMap<LogEntry, string>();
  const send = async (entry: LogEntry, signal: AbortSignal): Promise<void> => {
    const id = ids.get(entry) ?? entry.id ?? randomUUID();
    // Another attempt has the same one: the receiver knows it again.
    ids.set(entry, id);
    const now = options.clock.now();
    const body = webhookBody(entry);
    const sent = (isTls ? requestTls : request)(url, {
      ...{ method: 'POST', agent, signal },
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'azimuth-monitor',
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...webhookHeaders(id, now, body, options.secret),
      },
    });
    sent.end(body);
    const response = await responseTo(sent);
    discard(response);
    judge(response, url.host, now);
  };
  return new QueuedOutput({ send, end: async () => agent.destroy() }, options);
}

async function responseTo(sent: ReturnType<typeof request>): Promise<IncomingMessage> {
  // An error after the response must not end the process.
  sent.on('error', () => undefined);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new TypeError('an event "response" has one');
  return response;
}

/** Reads the rest of a response, so that the connection can be used again; an endless one is closed. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostBytes) response.destroy();
  });
}

/** @throws unless the server has accepted the message */
function judge({ statusCode = 0, headers }: IncomingMessage, host: string, now: number): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const what = `${host} responds with HTTP ${statusCode}`;
  if (statusCode === 410) throw new OutputEnded(`${what}: nothing more is sent there`);
  if (statusCode >= 300 && statusCode < 400)
    throw new Error(`${what}: redirects are not followed, as the message may be for nobody else`);
  if (refusals.includes(statusCode)) throw new ItemRefused(`${what}: it refuses an entry`);
  const asked = pauseOf(headers['retry-after'], now);
  throw asked === undefined ? new Error(what) : new SendLater(what, Math.min(longestPause, asked));
}

/** Returns the pause (ms) of `Retry-After`: seconds, or a date (RFC 9110, 10.2.3); undefined for anything else. */
function pauseOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
