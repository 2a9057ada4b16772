import type { Socket } from 'node:net';
import { AddressShares, clientOf } from '@azimuth/http';
import type { WorkerAddress } from './worker-connections.js';

/** Requests that one worker has not begun to answer, if nobody says otherwise: as many as one scanner takes of a fleet. */
const usuallyAsked = 1024;

/**
 * What a gateway asks of each worker at the same time, until the worker begins to answer: who reads nothing of an answer takes no
 * room. If there is none, the address that asks the most loses its oldest connection to one that asks less.
 */
export class AskedWorkers {
  readonly #most: number;
  /** By the URLs of the workers. */
  readonly #asked = new Map<string, AddressShares<Socket>>();

  /** @param most requests of one worker */
  constructor(most = usuallyAsked) {
    this.#most = most;
  }

  /**
   * @param client asks one thing at a time
   * @returns to be called when the worker begins to answer, or will not; undefined if there is no room
   */
  begin({ url }: WorkerAddress, client: Socket): (() => void) | undefined {
    const asked = this.#asked.get(url) ?? new AddressShares();
    const address = clientOf(client.remoteAddress);
    if (asked.size >= this.#most) {
      const [oldest] = asked.largest(address);
      if (oldest === undefined) return undefined;
      this.#end(url, asked, oldest);
      oldest.destroy();
    }
    this.#asked.set(url, asked);
    asked.add(client, address);
    return () => this.#end(url, asked, client);
  }

  #end(url: string, asked: AddressShares<Socket>, client: Socket): void {
    asked.delete(client);
    if (asked.size === 0 && this.#asked.get(url) === asked) this.#asked.delete(url);
  }
}
