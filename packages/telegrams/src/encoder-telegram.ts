/** Where the encoder stands, as Compact (type 4) carries it. Times in µs, counters of 32 bits. */
export interface EncoderTelegram {
  /** Counts the telegrams of the stream, one by one. */
  readonly sequence: number;
  /** When it was handed to the network. */
  readonly transmitTime: number;
  /** Serial number of the scanner. */
  readonly sender: number;
  readonly frameNumber: number;
  readonly ticks: number;
  /** Ticks at the last signal of each reference, 0 before the first. */
  readonly references: readonly [number, number];
  /** mm/s, a 32-bit float. */
  readonly speed: number;
  /** When the ticks were counted. */
  readonly time: number;
  /** When each reference signal came, 0 before the first. */
  readonly referenceTimes: readonly [number, number];
}
