import { pino } from 'pino';

/** How long the end of a process waits for a reader of its last lines (ms). */
const patience = 1000;

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

  constructor({ fd, mostWaiting }: { readonly fd: number; readonly mostWaiting: number }) {
    this.#destination = pino.destination({ dest: fd, sync: false, maxLength: mostWaiting });
    this.#destination.on('drop', () => {
      this.#lost++;
      this.#full = true;
    });
    this.#destination.on('drain', () => {
      this.#full = false;
    });
    this.#destination.on('error', () => {
      this.#broken = true;
    });
    // What waits is not waited for when the process ends some other way: pino would, for as long as nobody reads.
    process.prependListener('exit', this.#end);
  }

  write(line: string): void {
    if (this.#open) this.#destination.write(line);
  }

  /**
   * May a line be written? Once lines were dropped, none is until all that waited is read; then `tell` writes of them
   * first.
   */
  hasCaughtUp(tell: (lines: number) => void): boolean {
    if (this.#full) {
      this.#lost++;
      return false;
    }
    const lines = this.#lost;
    if (lines === 0) return true;
    this.#lost = 0;
    tell(lines);
    return true;
  }

  /** Hands over what waits, for at most a second. What is written afterwards goes nowhere. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#broken) await this.#handedOver();
    this.#end();
    process.off('exit', this.#end);
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
