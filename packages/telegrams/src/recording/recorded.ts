/** A telegram of a recording. */
export interface Recorded {
  /** When it was received: µs since 1970-01-01T00:00 UTC. */
  readonly time: number;
  /** As it came: not looked at beyond its start marker. */
  readonly telegram: Uint8Array;
}

/** A file is not a recording, or is damaged. The message names the fault and its position. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
