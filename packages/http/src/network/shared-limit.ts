import type { Socket } from 'node:net';
import { AddressShares, clientOf } from './address-shares.js';

/** A limit that all scanners of a process share, for something that each of them limits, too. */
export class SharedLimit {
  readonly #most: number;
  #held = 0;

  /** @param most of all scanners together, in the unit of what is counted */
  constructor(most: number) {
    this.#most = most;
  }

  /** What all scanners have now. */
  get held(): number {
    return this.#held;
  }

  hasRoom(more: number): boolean {
    return this.#held + more <= this.#most;
  }

  /** Counts more; less if it is negative. */
  add(more: number): void {
    this.#held += more;
  }

  /** Counts more, if there is room for it. */
  take(more: number): boolean {
    if (!this.hasRoom(more)) return false;
    this.add(more);
    return true;
  }
}

/** The same for connections: if there is no room, the address that has the most loses its oldest one. */
export class SharedConnectionLimit extends SharedLimit {
  readonly #shares = new AddressShares<Socket>();

  /** Counts a connection until it closes, if there is or can be made room for it. */
  admit(connection: Socket): boolean {
    const client = clientOf(connection.remoteAddress);
    if (!this.hasRoom(1)) {
      const [oldest] = this.#shares.largest(client);
      if (oldest === undefined) return false;
      oldest.destroy();
      this.release(oldest);
    }
    this.add(1);
    this.#shares.add(connection, client);
    connection.once('close', () => this.release(connection));
    return true;
  }

  /** Counts it no more. */
  release(connection: Socket): void {
    if (this.#shares.delete(connection)) this.add(-1);
  }
}

/** What the scanners of a process may have together, beside the limits of each. */
export interface SharedLimits {
  /** TCP connections to ports of their own. */
  readonly connections: SharedConnectionLimit;
  /** Bytes of request bodies that are not complete. */
  readonly bodyBytes: SharedLimit;
  /** Bytes of replies that wait behind others on their connection. */
  readonly unsentReplyBytes: SharedLimit;
  /** Characters of events that wait for slow clients. */
  readonly waitingEvents: SharedLimit;
}
