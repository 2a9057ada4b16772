import type { Log, LogFacts } from '@azimuth/device';

/** A log that gets an error once, however often it comes in a row. */
export class DeduplicatedLog implements Log {
  readonly #log: Log;
  #last: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** From now on the same error would be news. */
  again(): void {
    this.#last = undefined;
  }

  info(message: string, facts?: LogFacts): void {
    this.#log.info(message, facts);
  }

  warn(message: string, facts?: LogFacts): void {
    this.#log.warn(message, facts);
  }

  error(message: string, facts?: LogFacts): void {
    const text = `${message}: ${facts?.reason}`;
    if (text === this.#last) return;
    this.#last = text;
    this.#log.error(message, facts);
  }
}
