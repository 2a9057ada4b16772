import type { Log, LogFacts } from '@azimuth/device';

/** A log that is told what goes wrong once, however often it is tried again. */
export class SaidOnce implements Log {
  readonly #log: Log;
  #said: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** From now on the same would be news. */
  again(): void {
    this.#said = undefined;
  }

  info(message: string, facts?: LogFacts): void {
    this.#log.info(message, facts);
  }

  warn(message: string, facts?: LogFacts): void {
    this.#log.warn(message, facts);
  }

  error(message: string, facts?: LogFacts): void {
    const said = `${message}: ${facts?.reason}`;
    if (said === this.#said) return;
    this.#said = said;
    this.#log.error(message, facts);
  }
}
