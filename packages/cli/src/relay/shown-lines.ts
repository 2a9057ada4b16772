import { jsonText, printable } from '../output/output.js';
import { LineWriter } from '../serve/line-writer.js';

/** Limit for the bytes of lines that wait for a slow reader. */
const mostWaiting = 1024 * 1024;

/** Prints lines on standard output, and never waits: a terminal that stands still must not hold up telegrams. */
export class ShownLines {
  readonly #writer: LineWriter;
  readonly #isJson: boolean;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
    // Access to `process.stdout` makes a pipe non-blocking.
    this.#writer = new LineWriter({ fd: process.stdout.fd, mostWaiting });
    this.#writer.onCaughtUp((lines) =>
      this.print({ kind: 'missing', lines }, `${lines} lines are missing: nobody read them in time`),
    );
  }

  /** Prints one of both: the object with `--json`, otherwise the line. */
  print(json: object, line: string, at: Date = new Date()): void {
    if (!this.#writer.acceptsLines) return;
    const time = at.toISOString();
    const text = this.#isJson ? jsonText({ time, ...json }) : printable(`${time.slice(11, 23)}  ${line}`);
    this.#writer.write(`${text}\n`);
  }

  /** Prints what waits, for at most a second. */
  close(): Promise<void> {
    return this.#writer.close();
  }
}
