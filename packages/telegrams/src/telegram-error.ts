/** The bytes are not a complete telegram. The message says what was expected, what was found, and at which offset. */
export class TelegramError extends Error {
  override readonly name = 'TelegramError';
  /** Where in the telegram, in bytes. */
  readonly offset: number;

  constructor(expected: string, came: string, offset: number) {
    super(`expected ${expected} at byte ${offset}, got ${came}`);
    this.offset = offset;
  }
}
