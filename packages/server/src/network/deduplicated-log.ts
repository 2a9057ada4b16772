import type { Log, LogFields } from '@azimuth/device';

/** A log that drops an error equal to the one before. */
export class DeduplicatedLog implements Log {
  readonly #log: Log;
  #last: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The next error is logged even if it equals the last one. */
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
