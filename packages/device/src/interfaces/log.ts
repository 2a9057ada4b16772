/** Named values that go with a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the scanner writes what a person should know. No secret is ever passed to it. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log whose lines carry further fields. They are asked for when a line is written, and not before. */
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
