/** What a time server has said, or that it has said nothing of use. */
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
  /** The server wants to be asked less often. */
  | { readonly kind: 'slower' }
  /** The server does not want to be asked any more; in words. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing that could be used came; in words. */
  | { readonly kind: 'none'; readonly reason: string };

/** Whom the scanner asks for the time: the world answers what time it is at an address. */
export interface TimeServers {
  /**
   * Asks the server at this IPv4 address once. It answers by itself within seconds of the scanner's clock, whatever
   * the network does. `signal` breaks it off: nobody waits for the answer then.
   */
  ask(address: readonly number[], signal: AbortSignal): Promise<TimeAnswer>;
}
