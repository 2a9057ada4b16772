import { once } from 'node:events';
import { atMost } from '@azimuth/async';
import sonicBoom from 'sonic-boom';

/** Time limit at the end of the process for its last lines to be read (ms). */
const closeTimeout = 1000;

/** Block size in bytes, and maximum delay in ms, of written lines. */
const together = 8 * 1024;
const maxWriteDelay = 50;

/**
 * Writes lines to a file descriptor. Writing never blocks and never throws: unread lines are stored up to
 * `mostWaiting` bytes; further lines are dropped and counted. Without a reader, lines are discarded.
 */
export class LineWriter {
  readonly #destination: sonicBoom.SonicBoom;
  /** Dropped lines that were not reported yet. */
  #lost = 0;
  /** True if lines have been dropped, and earlier ones are still unread. */
  #full = false;
  /** State. `broken`: there is no reader any more, and lines are discarded. */
  #state: 'open' | 'broken' | 'closed' = 'open';
  #flushing: NodeJS.Timeout | undefined;
  /** True if lines wait in addition to those that are being written. */
  #flushesAgain = false;

  constructor({ fd, mostWaiting }: { readonly fd: number; readonly mostWaiting: number }) {
    this.#destination = new sonicBoom.SonicBoom({
      fd,
      sync: false,
      minLength: together,
      maxLength: mostWaiting,
    });
    this.#destination.on('drop', () => {
      this.#lost++;
      this.#full = true;
    });
    this.#destination.on('drain', () => {
      if (!this.#flushesAgain || this.#state === 'closed') return;
      this.#flushesAgain = false;
      this.#destination.flush();
    });
    this.#destination.on('error', () => {
      if (this.#state === 'open') this.#state = 'broken';
    });
  }

  write(line: string): void {
    if (this.#state === 'closed') return;
    this.#destination.write(line);
    this.#flushing ??= setTimeout(() => this.flush(), maxWriteDelay).unref();
  }

  /** Calls `report` with the number of dropped lines when the waiting ones have been read. */
  onCaughtUp(report: (lines: number) => void): void {
    this.#destination.on('drain', () => {
      this.#full = false;
      const lines = this.#lost;
      if (lines === 0 || this.#state === 'closed') return;
      this.#lost = 0;
      report(lines);
    });
  }

  /**
   * True if a line may be written. After a drop, all lines are dropped and counted until the waiting ones have been
   * read.
   */
  get acceptsLines(): boolean {
    if (this.#full) this.#lost++;
    return !this.#full;
  }

  /** Writes the waiting lines, for at most a second. Later lines are discarded. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    const isRead = this.#state === 'open';
    this.#state = 'closed';
    if (isRead) await this.#handedOver();
    this.#destination.destroy();
  }

  /** Writes the waiting lines now. */
  flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#state !== 'open') return;
    // The destination ignores a flush while it writes: so it is repeated when the write is done.
    this.#flushesAgain = true;
    this.#destination.flush();
  }

  async #handedOver(): Promise<void> {
    const over = once(this.#destination, 'close').catch(() => undefined);
    this.#destination.end();
    await atMost(closeTimeout, over);
  }
}
