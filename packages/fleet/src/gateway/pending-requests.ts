import type { Socket } from 'node:net';
import { AddressShares, clientOf } from '@azimuth/http';
import type { WorkerAddress } from './worker-connections.js';

/** Default number of requests that one worker has not begun to answer: the limit of one scanner of a fleet. */
const defaultPending = 1024;

/**
 * Limits the pending requests to each worker. A request is pending until the worker begins its response, so a client that
 * does not read its response uses no room. If there is no room, the address with most requests loses its oldest connection to
 * an address with fewer.
 */
export class PendingRequests {
  readonly #most: number;
  /** By the URLs of the workers. */
  readonly #pending = new Map<string, AddressShares<Socket>>();

  /** @param most pending requests of one worker */
  constructor(most = defaultPending) {
    this.#most = most;
  }

  /**
   * Begins a request.
   * @param client has one request at a time
   * @returns a function to call when the worker begins to respond, or will not respond; undefined if there is no room
   */
  begin({ url }: WorkerAddress, client: Socket): (() => void) | undefined {
    const pending = this.#pending.get(url) ?? new AddressShares();
    const address = clientOf(client.remoteAddress);
    if (pending.size >= this.#most) {
      const [oldest] = pending.largest(address);
      if (oldest === undefined) return undefined;
      this.#end(url, pending, oldest);
      oldest.destroy();
    }
    this.#pending.set(url, pending);
    pending.add(client, address);
    return () => this.#end(url, pending, client);
  }

  #end(url: string, pending: AddressShares<Socket>, client: Socket): void {
    pending.delete(client);
    if (pending.size === 0 && this.#pending.get(url) === pending) this.#pending.delete(url);
  }
}
