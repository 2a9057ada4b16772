import type { Clock, Log, LogFields } from './interfaces/environment.js';

/** Number of stored lines. A new line replaces the oldest. */
export const mostLines = 500;

/** Maximum length of a line in a diagnostic archive: a stack trace may have any length. */
const longestLine = 4096;

type Severity = 'info' | 'warn' | 'error';

export interface Line {
  /** Milliseconds since 1970, UTC, of the host. */
  readonly at: number;
  readonly severity: Severity;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/**
 * Passes log lines on, and stores the last ones for diagnostic archives, which convert them to text. A failing log
 * stops nothing.
 */
export class RecentLog implements Log {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #lines: Line[] = [];
  /** Index of the oldest line if all are in use: the next line replaces it. */
  #next = 0;
  #fails = false;
  #failing: (fails: boolean) => void = () => undefined;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  /** The stored lines as JSON, one per line, the oldest first. */
  get text(): string {
    return this.kept.map((line) => `${jsonOf(line)}\n`).join('');
  }

  /** The stored lines, the oldest first. */
  get kept(): readonly Line[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
  }

  /** Stores these lines instead of those that it has: the start of a scanner that is started again is no part of its log. */
  takeUp(lines: readonly Line[]): void {
    this.#lines.splice(0, this.#lines.length, ...lines);
    this.#next = lines.length % mostLines;
  }

  /** Calls `listener` when the log behind it fails, and when it works again. */
  onFailing(listener: (fails: boolean) => void): void {
    this.#failing = listener;
    if (this.#fails) listener(true);
  }

  #write(severity: Severity, message: string, fields: LogFields | undefined): void {
    this.#remember(severity, message, fields);
    try {
      const done: unknown = this.#log[severity](message, fields);
      if (done instanceof Promise) {
        done.then(
          () => this.#setFailing(false),
          () => this.#setFailing(true),
        );
      } else this.#setFailing(false);
    } catch {
      this.#setFailing(true);
    }
  }

  #setFailing(fails: boolean): void {
    if (fails === this.#fails) return;
    this.#fails = fails;
    this.#failing(fails);
  }

  #remember(severity: Severity, message: string, fields: LogFields | undefined): void {
    this.#lines[this.#next] = { at: this.#clock.utc(), severity, message, fields };
    this.#next = (this.#next + 1) % mostLines;
  }
}

/** A line of JSON. Fields that do not fit into JSON, or that are too long, are replaced by `facts: 'left out'`. */
function jsonOf({ at, severity, message, fields }: Line): string {
  const line = { time: new Date(at).toISOString(), severity, message };
  const complete = jsonOrNothing({ ...fields, ...line });
  if (complete !== undefined && complete.length <= longestLine) return complete;
  return JSON.stringify({ ...line, message: message.slice(0, longestLine / 2), facts: 'left out' });
}

function jsonOrNothing(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
