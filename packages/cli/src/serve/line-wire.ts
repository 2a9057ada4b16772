import { pino } from 'pino';

/** How long the end of a process waits for a reader of its last lines (ms). */
const patience = 1000;

/** Lines go out together: so many bytes at once, or what has come within so many milliseconds. */
const together = 8 * 1024;
const longestHold = 50;

/**
 * Lines to a file descriptor. Writing never waits and never throws: what nobody reads is kept up to `mostWaiting`
 * bytes, dropped beyond them and counted. Where the reader is gone, lines go nowhere.
 */
export class LineWire {
  readonly #destination: ReturnType<typeof pino.destination>;
  /** Lines that were dropped and not told of yet. */
  #lost = 0;
  /** Lines were dropped, and what waited then has not been read yet. */
  #full = false;
  #open = true;
  #broken = false;
  #flushing: NodeJS.Timeout | undefined;
  /** Lines may have come behind what is being written: they are to follow. */
  #flushesAgain = false;

  constructor({ fd, mostWaiting }: { readonly fd: number; readonly mostWaiting: number }) {
    this.#destination = pino.destination({
      dest: fd,
      sync: false,
      minLength: together,
      maxLength: mostWaiting,
    });
    this.#destination.on('drop', () => {
      this.#lost++;
      this.#full = true;
    });
    this.#destination.on('drain', () => {
      if (!this.#flushesAgain || !this.#open) return;
      this.#flushesAgain = false;
      this.#destination.flush();
    });
    this.#destination.on('error', () => {
      this.#broken = true;
    });
    // What waits is not waited for when the process ends some other way: pino would, for as long as nobody reads.
    process.prependListener('exit', this.#end);
  }

  write(line: string): void {
    if (!this.#open) return;
    this.#destination.write(line);
    this.#flushing ??= setTimeout(() => this.flush(), longestHold).unref();
  }

  /** `tell` is called with the number of lines that were dropped, as soon as what waited has been read. */
  onCaughtUp(tell: (lines: number) => void): void {
    this.#destination.on('drain', () => {
      this.#full = false;
      const lines = this.#lost;
      if (lines === 0 || !this.#open) return;
      this.#lost = 0;
      tell(lines);
    });
  }

  /** May a line be written? Once one was dropped none is, and all are counted, until what waited has been read. */
  get takesLines(): boolean {
    if (this.#full) this.#lost++;
    return !this.#full;
  }

  /** Hands over what waits, for at most a second. What is written afterwards goes nowhere. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#broken) await this.#handedOver();
    this.#end();
    process.off('exit', this.#end);
  }

  /** Has what waits for more lines written now. */
  flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (!this.#open || this.#broken) return;
    // While it writes it passes over a flush, and would keep what came meanwhile until more comes.
    this.#flushesAgain = true;
    this.#destination.flush();
  }

  #handedOver(): Promise<void> {
    return new Promise((resolve) => {
      const enough = setTimeout(resolve, patience);
      const done = () => {
        clearTimeout(enough);
        resolve();
      };
      this.#destination.once('close', done);
      this.#destination.once('error', done);
      this.#destination.end();
    });
  }

  readonly #end = (): void => this.#destination.destroy();
}
