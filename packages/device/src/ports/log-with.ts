import type { Log, LogFacts } from './host.js';

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
