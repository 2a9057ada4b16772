import type { Socket } from 'node:net';
import { AddressShares, clientOf } from './address-shares.js';

/** A limit that all scanners of a process share, for a quantity that each of them limits, too. */
export class SharedLimit {
  readonly #most: number;
  #held = 0;

  /** @param most of all scanners together, in the unit of what is counted */
  constructor(most: number) {
    this.#most = most;
  }

  /** Amount that all scanners have now. */
  get held(): number {
    return this.#held;
  }

  hasRoom(more: number): boolean {
    return this.#held + more <= this.#most;
  }

  /** Adds an amount. A negative amount is returned. */
  add(more: number): void {
    this.#held += more;
  }

  /** Adds an amount if there is room for it. Returns false if there is none. */
  tryAdd(more: number): boolean {
    if (!this.hasRoom(more)) return false;
    this.add(more);
    return true;
  }
}

/** A shared limit of connections. If there is no room, the address that has the most loses its oldest one. */
export class SharedConnectionLimit extends SharedLimit {
  readonly #shares = new AddressShares<Socket>();

  /** Counts a connection until it closes. Returns false if there is no room and none can be made. */
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

  /** Stops counting a connection. */
  release(connection: Socket): void {
    if (this.#shares.delete(connection)) this.add(-1);
  }
}

/** Limits that the scanners of a process share, beside the limits of each. */
export interface SharedLimits {
  /** TCP connections to ports of their own. */
  readonly connections: SharedConnectionLimit;
  /** Bytes of request bodies that are not complete. */
  readonly bodyBytes: SharedLimit;
  /** Bytes of responses that wait behind others on their connection. */
  readonly unsentResponseBytes: SharedLimit;
  /** Characters of events that wait for slow clients. */
  readonly waitingEvents: SharedLimit;
}
