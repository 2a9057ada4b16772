import type { Clock } from '../interfaces/clock.js';
import type { Host } from '../interfaces/host.js';
import type { Log, LogFields } from '../interfaces/log.js';

/** How many lines are remembered: the oldest one makes room. */
export const mostLines = 500;

/** Characters of one line in a diagnostic archive: a stack trace of somebody else's making may be of any length. */
const longestLine = 4096;

type Severity = 'info' | 'warn' | 'error';

interface Line {
  /** Milliseconds since 1970, UTC, of the host. */
  readonly at: number;
  readonly severity: Severity;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/** Passes log lines on, and remembers the last ones for a diagnostic archive. A line becomes text only there. */
export class RecentLog implements Log {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #lines: Line[] = [];
  /** Where the next line goes once all places are taken. */
  #next = 0;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  info(message: string, fields?: LogFields): void {
    this.#remember('info', message, fields);
    this.#log.info(message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#remember('warn', message, fields);
    this.#log.warn(message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#remember('error', message, fields);
    this.#log.error(message, fields);
  }

  /** The lines that are remembered as JSON, one a line, the oldest first. */
  get text(): string {
    const inOrder = [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
    return inOrder.map((line) => `${jsonOf(line)}\n`).join('');
  }

  #remember(severity: Severity, message: string, fields: LogFields | undefined): void {
    this.#lines[this.#next] = { at: this.#clock.utc(), severity, message, fields };
    this.#next = (this.#next + 1) % mostLines;
  }
}

/** A line of JSON. Fields that JSON cannot hold, or that are too long, are replaced by `facts: 'left out'`. */
function jsonOf({ at, severity, message, fields }: Line): string {
  const line = { time: new Date(at).toISOString(), severity, message };
  const whole = jsonOrNothing({ ...fields, ...line });
  if (whole !== undefined && whole.length <= longestLine) return whole;
  return JSON.stringify({ ...line, message: message.slice(0, longestLine / 2), facts: 'left out' });
}

function jsonOrNothing(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The hardware with a log that remembers its last lines. */
export class LoggedHost implements Host {
  readonly log: RecentLog;
  readonly #host: Host;

  constructor(host: Host, clock: Clock) {
    this.#host = host;
    // One that has begun before the device: it has lines of the start.
    this.log = host.log instanceof RecentLog ? host.log : new RecentLog(host.log, clock);
  }

  temperature(): number {
    return this.#host.temperature();
  }

  contamination(): readonly number[] {
    return this.#host.contamination?.() ?? [];
  }

  encoderSpeed(): number {
    return this.#host.encoderSpeed?.() ?? 0;
  }
}
