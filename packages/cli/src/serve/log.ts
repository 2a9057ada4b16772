import type { Log, LogFields } from '@azimuth/device';
import { pino } from 'pino';

/** A log that is handed over at the end: nothing is logged after `close`. */
export interface ServiceLog extends Log {
  close(): Promise<void>;
}

type Level = 'info' | 'warn' | 'error';
type WriteLine = (level: Level, message: string, fields: LogFields) => void;

/** Bytes of log lines that may wait for a slow reader. */
const mostWaiting = 64 * 1024;

const missing = 'Log lines are missing: nobody read them in time';

/** A log on stderr: JSON lines for machines, a line with the time in front for people. */
export function logTo(form: 'json' | 'lines'): ServiceLog {
  // Access to `process.stderr` makes a pipe non-blocking: a full pipe then refuses a write instead of blocking it.
  return logOn(new LineWriter({ fd: process.stderr.fd, mostWaiting }), form);
}

/** A log on any line writer. Dropped lines are reported as soon as the waiting ones have been read. */
export function logOn(wire: LineWriter, form: 'json' | 'lines'): ServiceLog {
  const write = form === 'json' ? jsonLines(wire) : plainLines(wire);
  wire.onCaughtUp((lines) => write('warn', missing, { lines }));
  const log =
    (level: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (!wire.takesLines) return;
      write(level, message, fields);
      if (level !== 'info') wire.flush();
    };
  return { info: log('info'), warn: log('warn'), error: log('error'), close: () => wire.close() };
}

function jsonLines(wire: LineWriter): WriteLine {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, wire);
  return (level, message, fields) => logger[level](besideOwn(fields), message);
}

const ownKeys = ['level', 'time', 'msg'];

/** Facts whose names leave the line's own keys alone: a second `level` in one object would take the first one's place. */
function besideOwn(fields: LogFields): LogFields {
  if (!ownKeys.some((name) => Object.hasOwn(fields, name))) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [ownKeys.includes(name) ? `${name}_` : name, value]),
  );
}

const labels = { info: 'info', warn: 'WARN', error: 'ERROR' } as const;

function plainLines(wire: LineWriter): WriteLine {
  return (level, message, fields) => {
    const members = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    wire.write(`${[new Date().toISOString(), labels[level], message, ...members].join(' ')}\n`);
  };
}

/** How long the process waits at its end for its last lines to be read (ms). */
const closeTimeout = 1000;

/** Lines are written in blocks: of this many bytes, or whatever has come within this many milliseconds. */
const together = 8 * 1024;
const longestHold = 50;

/**
 * Writes lines to a file descriptor. Writing never blocks and never throws: unread lines are kept up to `mostWaiting`
 * bytes; further lines are dropped and counted. Without a reader, lines are discarded.
 */
export class LineWriter {
  readonly #destination: ReturnType<typeof pino.destination>;
  /** Dropped lines that were not reported yet. */
  #lost = 0;
  /** Have lines been dropped, with earlier ones still unread? */
  #full = false;
  #open = true;
  #broken = false;
  #flushing: NodeJS.Timeout | undefined;
  /** Are there lines behind those that are being written now? */
  #flushesAgain = false;

  constructor({ fd, mostWaiting }: { readonly fd: number; readonly mostWaiting: number }) {
    this.#destination = pino.destination({
      dest: fd,
      sync: false,
      minLength: together,
      maxLength: mostWaiting,
    });
    this.#destination.on('drop', () => {
      this.#lost++;
      this.#full = true;
    });
    this.#destination.on('drain', () => {
      if (!this.#flushesAgain || !this.#open) return;
      this.#flushesAgain = false;
      this.#destination.flush();
    });
    this.#destination.on('error', () => {
      this.#broken = true;
    });
    // On another end of the process the waiting lines are dropped: pino would wait for a reader without limit.
    process.prependListener('exit', this.#end);
  }

  write(line: string): void {
    if (!this.#open) return;
    this.#destination.write(line);
    this.#flushing ??= setTimeout(() => this.flush(), longestHold).unref();
  }

  /** Calls `report` with the number of dropped lines as soon as the waiting ones have been read. */
  onCaughtUp(report: (lines: number) => void): void {
    this.#destination.on('drain', () => {
      this.#full = false;
      const lines = this.#lost;
      if (lines === 0 || !this.#open) return;
      this.#lost = 0;
      report(lines);
    });
  }

  /** May a line be written? After a drop, all lines are dropped and counted until the waiting ones have been read. */
  get takesLines(): boolean {
    if (this.#full) this.#lost++;
    return !this.#full;
  }

  /** Writes the waiting lines, for at most a second. Later lines are discarded. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#broken) await this.#handedOver();
    this.#end();
    process.off('exit', this.#end);
  }

  /** Writes the waiting lines now. */
  flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (!this.#open || this.#broken) return;
    // The destination ignores a flush while it writes: so it is repeated when the write is done.
    this.#flushesAgain = true;
    this.#destination.flush();
  }

  #handedOver(): Promise<void> {
    return new Promise((resolve) => {
      const enough = setTimeout(resolve, closeTimeout);
      const done = () => {
        clearTimeout(enough);
        resolve();
      };
      this.#destination.once('close', done);
      this.#destination.once('error', done);
      this.#destination.end();
    });
  }

  readonly #end = (): void => this.#destination.destroy();
}
