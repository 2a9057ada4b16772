/**
 * The sensors of the hardware, by the names of the members that read them; `lease` is that of `network`, and
 * `disciplined` that of `clock`.
 */
export type Sensor =
  | 'temperature'
  | 'contamination'
  | 'encoder'
  | 'inputs'
  | 'systemPlug'
  | 'errors'
  | 'lease'
  | 'disciplined';

/** An encoder: what it measures is either a speed or a count. */
export type EncoderHardware = EncoderBySpeed | EncoderByCount;

/** An encoder that measures its speed. */
export interface EncoderBySpeed {
  /** mm/s, signed by direction, -1,000,000 to 1,000,000. */
  speed(): number;
}

/** An encoder that counts ticks. */
export interface EncoderByCount {
  /**
   * The counter of ticks, which goes up and down with the direction. It may wrap at 2^32: the scanner uses differences
   * of fewer than 2^31 ticks between two reads.
   */
  count(): number;
}
