/** Named values that go with a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of the scanner. It never gets a secret. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log that adds fields to each line. `fields` is called when a line is written. */
export class LogWith implements Log {
  readonly #log: Log;
  readonly #fields: () => LogFields;

  constructor(log: Log, fields: () => LogFields) {
    this.#log = log;
    this.#fields = fields;
  }

  info(message: string, fields?: LogFields): void {
    this.#log.info(message, { ...fields, ...this.#fields() });
  }

  warn(message: string, fields?: LogFields): void {
    this.#log.warn(message, { ...fields, ...this.#fields() });
  }

  error(message: string, fields?: LogFields): void {
    this.#log.error(message, { ...fields, ...this.#fields() });
  }
}
