import type { Log, LogFacts } from '@azimuth/device';
import { pino } from 'pino';

/** A log that is handed over at the end: nothing is logged after `close`. */
export interface ServiceLog extends Log {
  close(): Promise<void>;
}

type Level = 'info' | 'warn' | 'error';
type WriteLine = (level: Level, message: string, facts: LogFacts) => void;

/** Bytes of log lines that wait for somebody to read them. */
const mostWaiting = 64 * 1024;

const missing = 'Log lines are missing: nobody read them in time';

/** A log on stderr: JSON lines for machines, a line with the time in front for people. */
export function logTo(form: 'json' | 'lines'): ServiceLog {
  // Whoever first takes hold of the stream sets a pipe to refuse at once what it has no room for, in place of waiting.
  return logOn(new LineWriter({ fd: process.stderr.fd, mostWaiting }), form);
}

/** A log on any wire. What the wire dropped is told as soon as what waited has been read. */
export function logOn(wire: LineWriter, form: 'json' | 'lines'): ServiceLog {
  const write = form === 'json' ? jsonLines(wire) : plainLines(wire);
  wire.onCaughtUp((lines) => write('warn', missing, { lines }));
  const log =
    (level: Level) =>
    (message: string, facts: LogFacts = {}) => {
      if (!wire.takesLines) return;
      write(level, message, facts);
      if (level !== 'info') wire.flush();
    };
  return { info: log('info'), warn: log('warn'), error: log('error'), close: () => wire.close() };
}

function jsonLines(wire: LineWriter): WriteLine {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, wire);
  return (level, message, facts) => logger[level](besideOwn(facts), message);
}

const ownKeys = ['level', 'time', 'msg'];

/** Facts whose names leave the line's own keys alone: a second `level` in one object would take the first one's place. */
function besideOwn(facts: LogFacts): LogFacts {
  if (!ownKeys.some((name) => Object.hasOwn(facts, name))) return facts;
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [ownKeys.includes(name) ? `${name}_` : name, value]),
  );
}

const labels = { info: 'info', warn: 'WARN', error: 'ERROR' } as const;

function plainLines(wire: LineWriter): WriteLine {
  return (level, message, facts) => {
    const told = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    wire.write(`${[new Date().toISOString(), labels[level], message, ...told].join(' ')}\n`);
  };
}

/** How long the end of a process waits for a reader of its last lines (ms). */
const closeTimeout = 1000;

/** Lines go out together: so many bytes at once, or what has come within so many milliseconds. */
const together = 8 * 1024;
const longestHold = 50;

/**
 * Lines to a file descriptor. Writing never waits and never throws: what nobody reads is kept up to `mostWaiting`
 * bytes, dropped beyond them and counted. Where the reader is gone, lines go nowhere.
 */
export class LineWriter {
  readonly #destination: ReturnType<typeof pino.destination>;
  /** Lines that were dropped and not told of yet. */
  #lost = 0;
  /** Lines were dropped, and what waited then has not been read yet. */
  #full = false;
  #open = true;
  #broken = false;
  #flushing: NodeJS.Timeout | undefined;
  /** Lines may have come behind what is being written: they are to follow. */
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
    // What waits is not waited for when the process ends some other way: pino would, for as long as nobody reads.
    process.prependListener('exit', this.#end);
  }

  write(line: string): void {
    if (!this.#open) return;
    this.#destination.write(line);
    this.#flushing ??= setTimeout(() => this.flush(), longestHold).unref();
  }

  /** `tell` is called with the number of lines that were dropped, as soon as what waited has been read. */
  onCaughtUp(tell: (lines: number) => void): void {
    this.#destination.on('drain', () => {
      this.#full = false;
      const lines = this.#lost;
      if (lines === 0 || !this.#open) return;
      this.#lost = 0;
      tell(lines);
    });
  }

  /** May a line be written? Once one was dropped none is, and all are counted, until what waited has been read. */
  get takesLines(): boolean {
    if (this.#full) this.#lost++;
    return !this.#full;
  }

  /** Hands over what waits, for at most a second. What is written afterwards goes nowhere. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#broken) await this.#handedOver();
    this.#end();
    process.off('exit', this.#end);
  }

  /** Has what waits for more lines written now. */
  flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (!this.#open || this.#broken) return;
    // While it writes it passes over a flush, and would keep what came meanwhile until more comes.
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
