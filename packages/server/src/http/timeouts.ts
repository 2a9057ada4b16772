/** How long (ms) a client may keep a connection busy with little or nothing. */
export interface Timeouts {
  /** From the first byte of a request, or from the connection on, to the end of its headers. */
  readonly headers: number;
  /**
   * From the first byte of a request to the end of its body; at least as long as `headers`. Node tells of an overdue
   * request once (`clientError`) and does not look at it again: a transfer of a large file that may take longer is to
   * be left out where BrokenRequests refuses, and its pace watched by whoever receives it.
   */
  readonly request: number;
  /** From an answer to the next request. Node allows a second more than it tells in the header Keep-Alive. */
  readonly idle: number;
  /** Without a byte in either direction, whatever is under way: a client that does not read its answer. */
  readonly silent: number;
}

/** `idle` is longer than the 60 s that pools of clients keep a connection, so that these close first. */
export const usualTimeouts: Timeouts = { headers: 10_000, request: 60_000, idle: 65_000, silent: 120_000 };
