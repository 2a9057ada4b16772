/**
 * JSON as it goes out. Kept as text: node sends a text in one piece with the header in front of it, and bytes in a
 * second one, which costs about a tenth of a whole request more.
 */
export class JsonBody {
  readonly text: string;
  /** In bytes. */
  readonly length: number;
  readonly encoding: 'latin1' | 'utf8';

  constructor(text: string) {
    this.text = text;
    this.length = Buffer.byteLength(text);
    // The same bytes for ASCII, and the quicker way to them.
    this.encoding = this.length === text.length ? 'latin1' : 'utf8';
  }

  toString(): string {
    return this.text;
  }
}
