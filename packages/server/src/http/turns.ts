import type { Duplex } from 'node:stream';

type Act = () => void;

/** When so many wait, nothing more is read from the connection. */
const fewToRead = 32;

/** As many may wait: what has been read already (64 KiB at a time) may hold many more requests than are wanted. */
export const mostWaiting = 100;

/** As many on all connections together; while there are more, few may wait on each. */
const mostTogether = 2048;
const fewWhenMany = 4;

/** How many wait on all connections. */
export interface WaitingRoom {
  waiting: number;
}

/** What waits for its turn on one connection, which is not read from while many wait. */
export class WaitingActs {
  readonly #connection: Duplex;
  readonly #room: WaitingRoom;
  readonly #acts: Act[] = [];
  #isFull = false;
  #isHeld = false;

  constructor(connection: Duplex, room: WaitingRoom) {
    this.#connection = connection;
    this.#room = room;
  }

  add(act: Act, refuse: () => void): void {
    if (this.#isFull) return;
    if (this.#acts.length >= (this.#room.waiting < mostTogether ? mostWaiting : fewWhenMany)) {
      this.#isFull = true;
      refuse();
      return;
    }
    this.#acts.push(act);
    this.#room.waiting++;
    if (this.#acts.length >= fewToRead) this.#hold();
  }

  next(): Act | undefined {
    const act = this.#acts.shift();
    if (act !== undefined) this.#room.waiting--;
    // One that was too full is at its end: nothing behind its last answer is wanted.
    if (this.#acts.length < fewToRead && !this.#isFull) this.#release();
    return act;
  }

  clear(): void {
    this.#room.waiting -= this.#acts.length;
    this.#acts.length = 0;
    // What node still finds in what it has read is not wanted.
    this.#isFull = true;
    this.#connection.off('resume', this.#pause);
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#pause();
    // Node reads on whenever a body is asked for; those of requests that wait in front of others have come already.
    this.#connection.on('resume', this.#pause);
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#connection.off('resume', this.#pause);
    this.#connection.resume();
  }

  readonly #pause = (): void => {
    this.#connection.pause();
  };
}

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
