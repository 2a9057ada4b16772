/** What did not arrive as it was sent, counted since the beginning. */
export interface Losses {
  /** Telegrams that never came, by their sequence numbers. */
  telegrams: number;
  /** Frames of which nothing came. */
  frames: number;
  /** How often counters went back: the sender began anew. */
  restarts: number;
  /** Telegrams that came late, overtaken by others, or twice. */
  outOfOrder: number;
  /** Telegrams that cannot be what was sent. */
  damaged: number;
}

export function noLosses(): Losses {
  return { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0 };
}
