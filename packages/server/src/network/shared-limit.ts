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

/** What the scanners of a process may have together, beside the limits of each. */
export interface SharedLimits {
  /** TCP connections to ports of their own. */
  readonly connections: SharedLimit;
  /** Bytes of request bodies that are not complete. */
  readonly bodyBytes: SharedLimit;
  /** Bytes of replies that wait behind others on their connection. */
  readonly unsentReplyBytes: SharedLimit;
  /** Characters of events that wait for slow clients. */
  readonly waitingEvents: SharedLimit;
}
