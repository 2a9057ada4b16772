/** What disciplines a clock. */
export interface ClockDiscipline {
  readonly by: 'NTP' | 'PTP';
}

/** The clock of the system. */
export interface ClockHardware {
  /**
   * Sets the clock to this time: ms since 1970-01-01T00:00 UTC. Called for LSPsetdatetime. If it throws, rejects or does not
   * end within 5 s, the device clock stays as it is and the ErrorCode is 1.
   */
  set?(utc: number): void | Promise<void>;
  /**
   * What disciplines the clock of the system at present, if it shows UTC. While there is something, and the scanner has no
   * synchronised source of its own (TSCRole), the device clock is that of the system, and the times of telegrams are UTC.
   * Read every second.
   */
  disciplined?(): ClockDiscipline | undefined;
}
