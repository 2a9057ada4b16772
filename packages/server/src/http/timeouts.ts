/** How long (ms) a client may keep a connection busy with little or nothing. */
export interface Timeouts {
  /** From the first byte of a request, or from the connection on, to the end of its headers. */
  readonly headers: number;
  /**
   * From the first byte of a request to the end of its body; at least as long as `headers`. A large file may take
   * longer as long as it keeps its pace (long-requests.ts).
   */
  readonly request: number;
  /** From an answer to the next request. Node allows a second more than it tells in the header Keep-Alive. */
  readonly idle: number;
  /** Without a byte in either direction, whatever is under way: a client that does not read its answer. */
  readonly silent: number;
}

/** `idle` is longer than the 60 s that pools of clients keep a connection, so that these close first. */
export const usualTimeouts: Timeouts = { headers: 10_000, request: 60_000, idle: 65_000, silent: 120_000 };
