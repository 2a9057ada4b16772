import { headerBytes } from './layout.js';
import { ProtocolError } from './messages.js';

/**
 * Splits a stream of bytes into messages. It holds at most one incomplete message. Its buffer grows with what has come, and
 * not with what a header announces.
 */
export class MessageSplitter {
  readonly #most: number;
  readonly #take: (message: Buffer) => void;
  #buffer = Buffer.alloc(0);
  /** Bytes of the incomplete message in the buffer. */
  #held = 0;

  /**
   * @param most maximum length of a message in bytes
   * @param take gets each complete message. It copies what it keeps, because the bytes are used again
   */
  constructor(most: number, take: (message: Buffer) => void) {
    this.#most = most;
    this.#take = take;
  }

  /**
   * Adds the next bytes of the stream.
   * @throws ProtocolError for a length that no message has; and what `take` throws
   */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#held === 0) {
        const length = this.#lengthIn(chunk, at);
        if (length !== undefined && at + length <= chunk.length) {
          const message = chunk.subarray(at, at + length);
          at += length;
          this.#take(message);
          continue;
        }
      }
      at = this.#hold(chunk, at);
    }
  }

  /** Adds bytes to the incomplete message, and passes it on when it is complete. Returns the place behind them. */
  #hold(chunk: Buffer, from: number): number {
    const known = this.#held < headerBytes ? headerBytes : this.#heldLength;
    const end = Math.min(chunk.length, from + known - this.#held);
    this.#makeRoom(this.#held + end - from);
    chunk.copy(this.#buffer, this.#held, from, end);
    this.#held += end - from;
    if (this.#held >= headerBytes && this.#held === this.#heldLength) {
      const message = this.#buffer.subarray(0, this.#held);
      this.#held = 0;
      this.#take(message);
    }
    return end;
  }

  get #heldLength(): number {
    return this.#lengthIn(this.#buffer.subarray(0, this.#held), 0) ?? headerBytes;
  }

  /** Length that the header at `at` states; undefined if the header is incomplete. */
  #lengthIn(bytes: Buffer, at: number): number | undefined {
    if (bytes.length - at < headerBytes) return undefined;
    const length = bytes.readUInt32LE(at);
    if (length < headerBytes || length > this.#most)
      throw new ProtocolError(`a message of ${length} bytes; expected ${headerBytes} to ${this.#most}`);
    if (bytes.readUInt16LE(at + 6) !== 0) throw new ProtocolError('a header that does not end with 0');
    return length;
  }

  #makeRoom(bytes: number): void {
    if (this.#buffer.length >= bytes) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#most, Math.max(1024, 2 * bytes)));
    this.#buffer.copy(larger, 0, 0, this.#held);
    this.#buffer = larger;
  }
}
