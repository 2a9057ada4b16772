import { atMost } from '@azimuth/async';
import { eventIn, type FleetEvent, type LostEvents } from '../events/fleet-event.js';
import type { EventSource } from '../port/events-stream.js';
import type { Routes } from './routes.js';
import type { WorkerConnections } from './worker-connections.js';

/** ms between two checks for other workers. */
const pollInterval = 500;

/** ms that a new follower waits for workers that do not respond. */
const patience = 2000;

type Follower = (event: FleetEvent | LostEvents) => void;

/** A stream of the events of one worker. */
interface Followed {
  /** Fulfilled when the worker sends, or does not respond. */
  readonly opened: Promise<void>;
  readonly end: () => void;
}

/**
 * The events of all workers together. Without followers, no connection is open. If a worker ends, or does not respond, it is
 * followed again as soon as it responds.
 */
export class FollowedWorkers implements EventSource {
  readonly #routes: Routes;
  readonly #connections: WorkerConnections;
  readonly #followers = new Set<Follower>();
  /** By the URLs of the workers. */
  readonly #followed = new Map<string, Followed>();
  #polling: NodeJS.Timeout | undefined;

  constructor(routes: Routes, connections: WorkerConnections) {
    this.#routes = routes;
    this.#connections = connections;
  }

  get followers(): number {
    return this.#followers.size;
  }

  follow(follower: Follower): () => void {
    // A function of its own: the same follower may follow twice.
    const own: Follower = (event) => follower(event);
    this.#followers.add(own);
    if (this.#followers.size === 1) {
      this.#poll();
      this.#polling = setInterval(() => this.#poll(), pollInterval).unref();
    }
    return () => {
      if (this.#followers.delete(own) && this.#followers.size === 0) this.close();
    };
  }

  /** Fulfilled when all workers that respond in time send their events. */
  async followed(): Promise<void> {
    // This includes workers that have just come.
    this.#poll();
    await atMost(patience, Promise.all([...this.#followed.values()].map(({ opened }) => opened)));
  }

  close(): void {
    clearInterval(this.#polling);
    for (const { end } of this.#followed.values()) end();
    this.#followed.clear();
  }

  #poll(): void {
    const { workers } = this.#routes;
    const urls = new Set(workers.map(({ url }) => url));
    for (const [url, { end }] of this.#followed) {
      if (urls.has(url)) continue;
      this.#followed.delete(url);
      end();
    }
    for (const { url } of workers) if (!this.#followed.has(url)) this.#followed.set(url, this.#open(url));
  }

  #open(url: string): Followed {
    let opened: () => void = () => undefined;
    const open = new Promise<void>((done) => {
      opened = done;
    });
    const followed: Followed = {
      opened: open,
      end: this.#connections.follow({ url }, '/fleet/events', {
        opened,
        line: (line) => this.#receive(line),
        ended: () => {
          opened();
          // The next check opens it again.
          if (this.#followed.get(url) === followed) this.#followed.delete(url);
        },
      }),
    };
    return followed;
  }

  #receive(line: string): void {
    const event = eventIn(line);
    if (event !== undefined) for (const follower of this.#followers) follower(event);
  }
}
