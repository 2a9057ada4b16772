/** The clock of the system. */
export interface ClockHardware {
  /** Sets the clock to this time: ms since 1970-01-01T00:00 UTC. Called for LSPsetdatetime. */
  set?(utc: number): void | Promise<void>;
  /** What disciplines the clock of the system, if it follows UTC. Then the times of telegrams are UTC. */
  disciplined?(): { readonly by: 'NTP' | 'PTP' } | undefined;
}
