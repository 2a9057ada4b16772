/** A telegram of a recording. */
export interface Recorded {
  /** When it was received: µs since 1970-01-01T00:00 UTC. */
  readonly time: number;
  /** As it came: not looked at beyond its start marker. */
  readonly telegram: Uint8Array;
}
