/** A recording that cannot be played. The message says what it holds. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}
