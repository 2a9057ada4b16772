import type { Socket } from 'node:net';
import { AddressShares, clientOf } from '@azimuth/server';
import type { WorkerAddress } from './worker-connections.js';

/** Requests that one worker has not begun to answer, if nobody says otherwise: as many as one scanner takes of a fleet. */
const usuallyAsked = 1024;

interface Asked {
  readonly clients: Set<Socket>;
  readonly shares: AddressShares<Socket>;
}

/**
 * What a gateway asks of each worker at the same time, until the worker begins to answer: who reads nothing of an answer takes no
 * room. If there is none, the address that asks the most loses its oldest connection to one that asks less.
 */
export class AskedWorkers {
  readonly #most: number;
  /** By the URLs of the workers. */
  readonly #asked = new Map<string, Asked>();

  /** @param most requests of one worker */
  constructor(most = usuallyAsked) {
    this.#most = most;
  }

  /**
   * @param client asks one thing at a time
   * @returns to be called when the worker begins to answer, or will not; undefined if there is no room
   */
  begin({ url }: WorkerAddress, client: Socket): (() => void) | undefined {
    const asked = this.#asked.get(url) ?? { clients: new Set(), shares: new AddressShares() };
    const address = clientOf(client.remoteAddress);
    if (asked.clients.size >= this.#most) {
      const [oldest] = asked.shares.largest(address);
      if (oldest === undefined) return undefined;
      this.#end(url, asked, oldest);
      oldest.destroy();
    }
    this.#asked.set(url, asked);
    asked.clients.add(client);
    asked.shares.add(client, address);
    return () => this.#end(url, asked, client);
  }

  #end(url: string, asked: Asked, client: Socket): void {
    asked.clients.delete(client);
    asked.shares.delete(client);
    if (asked.clients.size === 0 && this.#asked.get(url) === asked) this.#asked.delete(url);
  }
}
