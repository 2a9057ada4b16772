import { fstatSync } from 'node:fs';
import type { Log, LogFields } from '@azimuth/device';
import { jsonText } from '../output/output.js';
import { LineWriter } from './line-writer.js';

/** A log that is flushed at the end: nothing is logged after `close`. */
export interface ServiceLog extends Log {
  close(): Promise<void>;
}

type Level = 'info' | 'warn' | 'error';
/** Returns a line without its end. */
type Format = (level: Level, message: string, fields: LogFields) => string;

/** Limit for the bytes of log lines that wait for a slow reader. */
const maxWaitingBytes = 64 * 1024;

const missing = 'Log lines are missing: nobody read them in time';

/** Makes a log on stderr: JSON lines for machines, a line with the time in front for people. */
export function logTo(form: 'json' | 'lines'): ServiceLog {
  // Access to `process.stderr` makes a pipe non-blocking: a full pipe then refuses a write instead of blocking it.
  const { fd } = process.stderr;
  const wire = new LineWriter({ fd, mostWaiting: maxWaitingBytes });
  return logOn(wire, form, isJournal(fd, process.env.JOURNAL_STREAM));
}

/**
 * True if the journal of systemd reads this file. systemd tells device and inode, because somebody may have redirected
 * the output.
 */
export function isJournal(fd: number, stream: string | undefined): boolean {
  if (!stream) return false;
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return stream === `${dev}:${ino}`;
}

/**
 * Makes a log on any line writer. Dropped lines are reported when the waiting ones have been read.
 * @param inJournal the journal reads the lines: each begins with its level, and a line for people has no time
 */
export function logOn(wire: LineWriter, form: 'json' | 'lines', inJournal = false): ServiceLog {
  const format = form === 'json' ? jsonLine : inJournal ? withFacts : plainLine;
  const write = (level: Level, message: string, fields: LogFields) =>
    wire.write(`${inJournal ? journalLevels[level] : ''}${format(level, message, fields)}\n`);
  wire.onCaughtUp((lines) => write('warn', missing, { lines }));
  const log =
    (level: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (!wire.acceptsLines) return;
      write(level, message, fields);
      if (level !== 'info') wire.flush();
    };
  return { info: log('info'), warn: log('warn'), error: log('error'), close: () => wire.close() };
}

/** Levels of syslog, with which the journal takes a line. It removes them, and adds the time. */
const journalLevels = { info: '<6>', warn: '<4>', error: '<3>' } as const;

/** Numbers of the levels in JSON lines, as in pino and bunyan. */
const numbers = { info: 30, warn: 40, error: 50 } as const;

const jsonLine: Format = (level, message, fields) =>
  jsonText({
    level: numbers[level],
    time: new Date().toISOString(),
    ...withoutOwnKeys(fields),
    msg: message,
  });

const ownKeys = ['level', 'time', 'msg'];

/** Renames facts with the names of the line's own keys: a second `level` in one object would replace the first one. */
function withoutOwnKeys(fields: LogFields): LogFields {
  if (!ownKeys.some((name) => Object.hasOwn(fields, name))) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [ownKeys.includes(name) ? `${name}_` : name, value]),
  );
}

const plainLine: Format = (level, message, fields) =>
  `${new Date().toISOString()} ${level.toUpperCase()} ${withFacts(level, message, fields)}`;

const withFacts: Format = (_, message, fields) => {
  const facts = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [message, ...facts.map(([name, value]) => `${name}=${jsonText(value)}`)].join(' ');
};
