import type { Duplex } from 'node:stream';
import { WaitingActs } from './waiting-acts.js';

type Act = () => void | Promise<void>;

/** Whose turn it is on one connection. */
interface Line {
  taken: boolean;
  /** What waits; none where nothing ever had to. */
  waiting: WaitingActs | undefined;
}

/**
 * Requests of one connection are answered one after the other, as they came: a read that a client sends right behind
 * a write sees what was written. Nothing is kept of a connection whose requests are answered at once.
 */
export class Turns {
  readonly #lines = new WeakMap<Duplex, Line>();
  /** How many connections have a request that is being worked on. */
  #taken = 0;
  readonly #failed: (error: unknown) => void;

  /** `failed` is told of an act that throws; those behind it come all the same. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Is a request of this connection being worked on, so that another one has to wait? */
  isTaken(connection: Duplex): boolean {
    return this.#taken > 0 && this.#lines.get(connection)?.taken === true;
  }

  /** Takes the turn of a connection, which must be free, for what has been begun. */
  take(connection: Duplex, begun: Promise<void>): void {
    const line = this.#lineOf(connection);
    line.taken = true;
    this.#taken++;
    begun.then(
      () => this.#goOn(line, connection),
      (error: unknown) => {
        this.#failed(error);
        this.#goOn(line, connection);
      },
    );
  }

  /**
   * Does this when all before it is done, or never where the connection goes first. Where too many wait, `refuse` is
   * called in its place, at once; it has to make its answer the last, as nothing behind it is done.
   */
  wait(connection: Duplex, act: Act, refuse: () => void): void {
    const line = this.#lineOf(connection);
    if (line.waiting === undefined) {
      const waiting = new WaitingActs(connection);
      connection.once('close', () => waiting.clear());
      line.waiting = waiting;
    }
    line.waiting.add(act, refuse);
  }

  #lineOf(connection: Duplex): Line {
    let line = this.#lines.get(connection);
    if (line === undefined) {
      line = { taken: false, waiting: undefined };
      this.#lines.set(connection, line);
    }
    return line;
  }

  #goOn(line: Line, connection: Duplex): void {
    const act = connection.destroyed ? undefined : line.waiting?.next();
    if (act !== undefined) {
      void this.#work(act, line, connection);
      return;
    }
    line.taken = false;
    this.#taken--;
  }

  async #work(first: Act, line: Line, connection: Duplex): Promise<void> {
    for (let act: Act | undefined = first; act !== undefined; act = line.waiting?.next()) {
      try {
        await act();
      } catch (error) {
        this.#failed(error);
      }
      if (connection.destroyed) break;
    }
    line.taken = false;
    this.#taken--;
  }
}
