import type { Log, LogFields } from '@azimuth/device';

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

  info(message: string, fields?: LogFields): void {
    this.#log.info(message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#log.warn(message, fields);
  }

  error(message: string, fields?: LogFields): void {
    const text = `${message}: ${fields?.reason}`;
    if (text === this.#last) return;
    this.#last = text;
    this.#log.error(message, fields);
  }
}
