/** Where the scanner takes its time from. Every lock, expiry, debounce and boot time runs on it. */
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
   * Calls back whatever is overdue by some milliseconds, as what goes on has kept it waiting. For whoever may be one of
   * hundreds that the process deals with in one go: timers have their turn after all of them.
   */
  catchUp(): void;
}

/** A clock that can be moved on, for time travel and for tests. */
export interface MovableClock extends Clock {
  /** Moves on by so many milliseconds (not below 0), with every callback that falls due on the way in its order. */
  advance(milliseconds: number): void;
}
