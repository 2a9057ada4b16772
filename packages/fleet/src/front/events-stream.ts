import type { ServerResponse } from 'node:http';
import { type AddressShares, clientOf, replyText } from '@azimuth/server';
import { eventText, type LostEvents } from '../events/event-text.js';
import type { FleetEvent } from '../events/fleet-event.js';
import { chosenBy } from './asked.js';

/** Who follows the events of a fleet at the same time. */
const mostFollowers = 64;

/** Events that wait for a follower who reads too slowly. Above that, the oldest are lost, and the follower is told. */
const mostWaiting = 1000;

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

/**
 * Server-sent events, for one follower: an event of the fleet each, as JSON. `?q=` and `?group=` choose scanners.
 * @param shares who follows: if too many do, the address with the most loses its oldest to one that has fewer
 */
export function sendEvents(
  source: EventSource,
  shares: AddressShares<ServerResponse>,
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
    replyText(response, 503, `${mostFollowers} programs follow the events of this fleet already.`);
    return;
  }
  response.writeHead(200, head);
  shares.add(response, client);
  const waiting = new WaitingEvents(response);
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

/** What is to be sent to one follower. */
class WaitingEvents {
  readonly #response: ServerResponse;
  readonly #waiting: (FleetEvent | LostEvents)[] = [];
  #lost = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('drain', () => this.#sendWaiting());
  }

  send(event: FleetEvent | LostEvents): void {
    if (!this.#response.writableNeedDrain) {
      this.#write(event);
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length <= mostWaiting) return;
    const oldest = this.#waiting.shift();
    this.#lost += oldest?.event === 'lost' ? oldest.events : 1;
  }

  sayAlive(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(':\n\n');
  }

  #sendWaiting(): void {
    if (this.#lost > 0) this.#write({ event: 'lost', events: this.#lost });
    this.#lost = 0;
    while (!this.#response.writableNeedDrain) {
      const event = this.#waiting.shift();
      if (event === undefined) return;
      this.#write(event);
    }
  }

  #write(event: FleetEvent | LostEvents): void {
    this.#response.write(eventText(event));
  }
}
