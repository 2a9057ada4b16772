import type { Duplex } from 'node:stream';
import { WaitingActs, type WaitingRoom } from './waiting-acts.js';

type Act = () => void;

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
  readonly #room: WaitingRoom = { waiting: 0 };
  readonly #failed: (error: unknown) => void;

  /** `failed` is told of an act that throws; those behind it come all the same. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Is a request of this connection being worked on, so that another one has to wait? */
  isTaken(connection: Duplex): boolean {
    return this.#taken > 0 && this.#lines.get(connection)?.taken === true;
  }

  /**
   * Takes the turn of a connection, which must be free. What is returned gives it to the next, once: to `first`, where
   * that is stated, before all that waits.
   */
  take(connection: Duplex, first?: Act): () => void {
    const line = this.#lineOf(connection);
    line.taken = true;
    this.#taken++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#taken--;
      line.taken = false;
      if (first !== undefined && !connection.destroyed) this.#do(first);
      this.#goOn(line, connection);
    };
  }

  /**
   * Does this when all before it is done, or never where the connection goes first. Where too many wait, `refuse` is
   * called in its place, at once; it has to make its answer the last, as nothing behind it is done.
   */
  wait(connection: Duplex, act: Act, refuse: () => void): void {
    const line = this.#lineOf(connection);
    if (line.waiting === undefined) {
      const waiting = new WaitingActs(connection, this.#room);
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

  /** Has what waits done, until one of it takes the turn for itself. */
  #goOn(line: Line, connection: Duplex): void {
    while (!line.taken && !connection.destroyed) {
      const act = line.waiting?.next();
      if (act === undefined) return;
      this.#do(act);
    }
  }

  #do(act: Act): void {
    try {
      act();
    } catch (error) {
      this.#failed(error);
    }
  }
}
