/**
 * Thrown for bytes that are not a complete telegram. The message says what was expected, what was found, and at which offset.
 */
export class TelegramError extends Error {
  override readonly name = 'TelegramError';

  /** @param offset in the telegram, in bytes */
  constructor(
    readonly expected: string,
    readonly came: string,
    readonly offset: number,
  ) {
    super(`expected ${expected} at byte ${offset}, got ${came}`);
  }
}

/**
 * Checks that at least `wanted` bytes are there.
 * @throws TelegramError if they are not.
 */
export function assertBytes(bytes: Uint8Array, wanted: number): void {
  if (bytes.length < wanted) {
    throw new TelegramError(`${wanted} bytes or more`, `${bytes.length} bytes`, bytes.length);
  }
}

/**
 * Checks that a version is known.
 * @throws TelegramError if it is not.
 */
export function assertVersion(came: number, known: readonly number[], at: number): void {
  if (!known.includes(came)) throw new TelegramError(`version ${known.join(' or ')}`, `${came}`, at);
}
