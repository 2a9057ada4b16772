/** Facts that go with a log line. */
export type LogFacts = Readonly<Record<string, unknown>>;

/** Where the scanner writes what a person should know. No secret is ever passed to it. */
export interface Log {
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  error(message: string, facts?: LogFacts): void;
}

/** A log whose lines carry further facts. They are asked for when a line is written, and not before. */
export class LogWith implements Log {
  readonly #log: Log;
  readonly #facts: () => LogFacts;

  constructor(log: Log, facts: () => LogFacts) {
    this.#log = log;
    this.#facts = facts;
  }

  info(message: string, facts?: LogFacts): void {
    this.#log.info(message, { ...facts, ...this.#facts() });
  }

  warn(message: string, facts?: LogFacts): void {
    this.#log.warn(message, { ...facts, ...this.#facts() });
  }

  error(message: string, facts?: LogFacts): void {
    this.#log.error(message, { ...facts, ...this.#facts() });
  }
}
