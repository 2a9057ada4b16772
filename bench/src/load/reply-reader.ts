/**
 * Takes HTTP replies of one connection apart, as few bytes at a time as they come. Text is Latin-1 throughout: one
 * character is one byte. Everything but 200 with a Content-Length is an error, since it was not asked for.
 */
export class ReplyReader {
  readonly #answered: (body: string) => void;
  #rest = '';
  /** Heads are the same for a whole second, until their Date changes: only a new one is looked into. */
  #knownHead = '';
  #knownLength = 0;

  constructor(answered: (body: string) => void) {
    this.#answered = answered;
  }

  /** @throws Error for a reply that is not as expected. */
  push(received: string): void {
    let text = this.#rest === '' ? received : this.#rest + received;
    while (text !== '') {
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) break;
      const start = end + 4;
      const length = this.#bodyLength(text.slice(0, end));
      if (text.length < start + length) break;
      const body = text.slice(start, start + length);
      text = text.slice(start + length);
      this.#answered(body);
    }
    this.#rest = text;
  }

  #bodyLength(head: string): number {
    if (head !== this.#knownHead) {
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`not 200: ${head.split('\r\n', 1)[0]}`);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error('a reply without Content-Length');
      this.#knownLength = Number(length);
      this.#knownHead = head;
    }
    return this.#knownLength;
  }
}
