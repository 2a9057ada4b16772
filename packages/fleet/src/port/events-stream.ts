import type { ServerResponse } from 'node:http';
import { type AddressShares, clientOf, respondText } from '@azimuth/http';
import type { FleetEvent, LostEvents } from '../events/fleet-event.js';
import { selectedBy } from './fleet-requests.js';
import { type EventTexts, WaitingEvents } from './waiting-events.js';

/** Largest number of followers of the events of a fleet at the same time. */
const mostFollowers = 64;

/** ms after which something is sent even if nothing happens, so that nobody takes the connection for dead. */
const aliveEvery = 30_000;

/** The source of the events of a fleet. */
export interface EventSource {
  /** Number of followers. */
  readonly followers: number;
  /** Calls `follower` with all events from now on. @returns a function that stops it */
  follow(follower: (event: FleetEvent | LostEvents) => void): () => void;
  /** Fulfilled when no more events are missed. */
  followed?(): Promise<void>;
}

/** The followers of the events of a fleet at one port. */
interface Followers {
  /**
   * Shares of the addresses. If too many follow, the address with most followers loses its oldest one to an address with
   * fewer.
   */
  readonly shares: AddressShares<ServerResponse>;
  readonly texts: EventTexts;
}

/** Sends server-sent events to one follower: each is an event of the fleet as JSON. `?q=` and `?group=` select scanners. */
export function sendEvents(
  source: EventSource,
  { shares, texts }: Followers,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  // Scanners that are added later count, too.
  const matches = selectedBy(query);
  const head = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
  if (response.req.method === 'HEAD') {
    response.writeHead(200, head).end();
    return;
  }
  const client = clientOf(response.req.socket.remoteAddress);
  if (source.followers >= mostFollowers && !endOneFor(client, shares)) {
    response.setHeader('Retry-After', 1);
    respondText(response, 503, `${mostFollowers} programs follow the events of this fleet already.`);
    return;
  }
  response.writeHead(200, head);
  shares.add(response, client);
  const waiting = new WaitingEvents(response, texts);
  const end = source.follow((event) => {
    if (event.event === 'lost' || matches({ serial: event.serialNumber, group: event.group }))
      waiting.send(event);
  });
  // After the follower has the headers, it misses no event.
  if (source.followed === undefined) response.flushHeaders();
  else void source.followed().then(() => response.flushHeaders());
  const alive = setInterval(() => waiting.sayAlive(), aliveEvery).unref();
  // If a client closes its sending side, it counts as gone: the listener would leave the connection open.
  const closed = () => response.destroy();
  const { socket } = response.req;
  socket.once('end', closed);
  response.once('close', () => {
    socket.off('end', closed);
    clearInterval(alive);
    shares.delete(response);
    end();
  });
}

/** @returns false if no address has more followers than this one would have then */
function endOneFor(client: string, shares: AddressShares<ServerResponse>): boolean {
  const [oldest] = shares.largest(client);
  if (oldest === undefined) return false;
  shares.delete(oldest);
  oldest.destroy();
  return true;
}
