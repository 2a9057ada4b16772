/** The answer of a time server, or why there is none. */
export type TimeAnswer =
  | {
      readonly kind: 'time';
      /** ms that the server's UTC is ahead of the UTC of the scanner's `Clock`. */
      readonly ahead: number;
      /** ms that request and answer were under way, the server's own time left out. */
      readonly roundTrip: number;
      /** 1 to 15: how far the server is from a reference clock. */
      readonly stratum: number;
    }
  /** The server asks for fewer requests. */
  | { readonly kind: 'slower' }
  /** The server refuses further requests; `reason` for people. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No usable answer came; `reason` for people. */
  | { readonly kind: 'none'; readonly reason: string };

/** The time servers that the scanner can reach. */
export interface TimeServers {
  /**
   * Asks the server at this IPv4 address once. The promise resolves within seconds of the scanner's clock, whatever the
   * network does. `signal` cancels it: the answer is not used any more.
   */
  ask(address: readonly number[], signal: AbortSignal): Promise<TimeAnswer>;
}
