/**
 * JSON as it goes out. Kept as text: node sends a text in one piece with the header in front of it, and bytes in a
 * second one, which costs about a tenth of a whole request more. A large one goes as bytes, a piece at a time.
 */
export class JsonBody {
  readonly text: string;
  /** In bytes. */
  readonly length: number;
  readonly encoding: 'latin1' | 'utf8';
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
    this.length = Buffer.byteLength(text);
    // The same bytes for ASCII, and the quicker way to them.
    this.encoding = this.length === text.length ? 'latin1' : 'utf8';
  }

  /** Made once, for all who are sent it in pieces. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text, this.encoding);
    return this.#bytes;
  }

  toString(): string {
    return this.text;
  }
}
