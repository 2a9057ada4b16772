import type { ServerResponse } from 'node:http';
import { type AddressShares, clientOf, respondText } from '@azimuth/http';
import type { FleetEvent, LostEvents } from '../events/fleet-event.js';
import { chosenBy } from './asked.js';
import { type EventTexts, WaitingEvents } from './waiting-events.js';

/** Who follows the events of a fleet at the same time. */
const mostFollowers = 64;

/** ms: so often something is sent, also if nothing happens, so that nobody takes the connection for dead. */
const aliveEvery = 30_000;

/** Where the events of a fleet come from. */
export interface EventSource {
  /** How many follow. */
  readonly followers: number;
  /** Calls `follower` with everything that happens from now on. @returns a function that ends it */
  follow(follower: (event: FleetEvent | LostEvents) => void): () => void;
  /** Fulfilled when nothing is missed any more. */
  followed?(): Promise<void>;
}

/** Who follows the events of a fleet by one port. */
interface Followers {
  /** If too many follow, the address with the most loses its oldest to one that has fewer. */
  readonly shares: AddressShares<ServerResponse>;
  readonly texts: EventTexts;
}

/** Server-sent events, for one follower: an event of the fleet each, as JSON. `?q=` and `?group=` choose scanners. */
export function sendEvents(
  source: EventSource,
  { shares, texts }: Followers,
  asked: URLSearchParams,
  response: ServerResponse,
): void {
  // Scanners that come later count, too.
  const isMeant = chosenBy(asked);
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
    if (event.event === 'lost' || isMeant({ serial: event.serialNumber, group: event.group }))
      waiting.send(event);
  });
  // Whoever has the headers misses nothing from then on.
  if (source.followed === undefined) response.flushHeaders();
  else void source.followed().then(() => response.flushHeaders());
  const alive = setInterval(() => waiting.sayAlive(), aliveEvery).unref();
  // A client that closes its sending side is taken for gone: the listener would leave the connection open.
  const gone = () => response.destroy();
  const { socket } = response.req;
  socket.once('end', gone);
  response.once('close', () => {
    socket.off('end', gone);
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
