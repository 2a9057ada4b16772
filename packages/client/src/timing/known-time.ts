/** What a scanner says of its own clock, or its user of it. */
export interface KnownTime {
  /** What its clock should follow (TSCRole); undefined if it does not tell. */
  readonly follows?: 'nothing' | 'time server' | 'PTP master' | undefined;
  /** Whether it does (`Synchronised` of `/x/time`); undefined if it does not tell. */
  readonly synchronised?: boolean | undefined;
  /** Address of the time server. */
  readonly server?: string | undefined;
  /** s between two requests to the time server. */
  readonly updateTime?: number | undefined;
  /** Why it is not synchronised, in its words. */
  readonly fault?: string | undefined;
  /** True if the user expects UTC. */
  readonly expectsUtc?: boolean | undefined;
}
