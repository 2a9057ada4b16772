/** The time of the scanner, on which every lock, expiry, debounce and boot time depends. */
export interface Clock {
  /** Milliseconds since some moment, with a fraction; never goes back. */
  monotonic(): number;
  /** Milliseconds since 1970-01-01T00:00 UTC, with a fraction for the microseconds. */
  utc(): number;
  /** Milliseconds that local time is ahead of UTC at that moment. */
  localOffset(utc: number): number;
  /** Calls back once, `milliseconds` from now. The returned function calls it off. */
  after(milliseconds: number, callback: () => void): () => void;
  /**
   * Calls callbacks that are overdue by some milliseconds. To be called by handlers of which hundreds may run in one
   * pass of the event loop, because timers run only after all of them.
   */
  catchUp(): void;
  /** May the scanner act on others at this moment? Without it: always. Not while another process may run it by now. */
  mayAct?(): boolean;
}

/** A clock that can be moved on, for time travel and for tests. */
export interface MovableClock extends Clock {
  /** Moves on by so many milliseconds (not below 0), with every callback that falls due on the way in its order. */
  advance(milliseconds: number): void;
}
