import { DamagedContainer, type Pieces } from './container.js';

/** Reads pieces of any length as so many bytes at a time; never more than one piece is held. */
export class ByteStream {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * The next `count` bytes in one; for few of them.
   * @throws DamagedContainer where the file ends before
   */
  async take(count: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.pass(count)) parts.push(part);
    return Buffer.concat(parts);
  }

  /**
   * The next `count` bytes as they come.
   * @throws DamagedContainer where the file ends before
   */
  async *pass(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (!(await this.#fill())) throw new DamagedContainer(`the file is cut off: ${left} bytes are missing`);
      const part = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  /** Is there nothing more to come? */
  async isAtEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** Gives the source back, read to its end or not. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  /** Fetches bytes where none are held; false at the end. */
  async #fill(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return false;
      this.#held = next.value;
    }
    return true;
  }
}
