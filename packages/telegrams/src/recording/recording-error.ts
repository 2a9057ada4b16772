/** A file that is no recording, or is broken. The message says what is wrong with it, and where. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
