import type { Duplex } from 'node:stream';
import { WaitingActs } from './waiting-acts.js';

type Act = () => void | Promise<void>;

/**
 * Requests of one connection are answered one after the other, as they came: a read that a client sends right behind
 * a write sees what was written. Nothing is kept of a connection whose requests are answered at once.
 */
export class Turns {
  readonly #waiting = new WeakMap<Duplex, WaitingActs>();
  readonly #failed: (error: unknown) => void;

  /** `failed` is told of an act that throws; those behind it come all the same. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Is a request of this connection being worked on, so that another one has to wait? */
  isTaken(connection: Duplex): boolean {
    return this.#waiting.has(connection);
  }

  /** Takes the turn of a connection, which must be free, for what has been begun. */
  async take(connection: Duplex, begun: Promise<void>): Promise<void> {
    const waiting = new WaitingActs(connection);
    const forget = () => waiting.clear();
    this.#waiting.set(connection, waiting);
    connection.once('close', forget);
    await this.#settled(() => begun);
    for (let act = waiting.next(); act !== undefined && !connection.destroyed; act = waiting.next()) {
      await this.#settled(act);
    }
    connection.off('close', forget);
    this.#waiting.delete(connection);
  }

  /**
   * Does this when all before it is done, or never where the connection goes first. Where too many wait, `refuse` is
   * called in its place, at once; it has to make its answer the last, as nothing behind it is done.
   */
  wait(connection: Duplex, act: Act, refuse: () => void): void {
    this.#waiting.get(connection)?.add(act, refuse);
  }

  async #settled(act: Act): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#failed(error);
    }
  }
}
