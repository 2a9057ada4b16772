import type { Log, LogFields } from '@azimuth/device';
import { jsonText } from '../output/output.js';
import { LineWriter } from './line-writer.js';

/** A log that is flushed at the end: nothing is logged after `close`. */
export interface ServiceLog extends Log {
  close(): Promise<void>;
}

type Level = 'info' | 'warn' | 'error';
type WriteLine = (level: Level, message: string, fields: LogFields) => void;

/** Limit for the bytes of log lines that wait for a slow reader. */
const maxWaitingBytes = 64 * 1024;

const missing = 'Log lines are missing: nobody read them in time';

/** Makes a log on stderr: JSON lines for machines, a line with the time in front for people. */
export function logTo(form: 'json' | 'lines'): ServiceLog {
  // Access to `process.stderr` makes a pipe non-blocking: a full pipe then refuses a write instead of blocking it.
  return logOn(new LineWriter({ fd: process.stderr.fd, mostWaiting: maxWaitingBytes }), form);
}

/** Makes a log on any line writer. Dropped lines are reported when the waiting ones have been read. */
export function logOn(wire: LineWriter, form: 'json' | 'lines'): ServiceLog {
  const write = form === 'json' ? jsonLines(wire) : plainLines(wire);
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

/** Numbers of the levels in JSON lines, as in pino and bunyan. */
const numbers = { info: 30, warn: 40, error: 50 } as const;

function jsonLines(wire: LineWriter): WriteLine {
  return (level, message, fields) => {
    const line = {
      level: numbers[level],
      time: new Date().toISOString(),
      ...withoutOwnKeys(fields),
      msg: message,
    };
    wire.write(`${jsonText(line)}\n`);
  };
}

const ownKeys = ['level', 'time', 'msg'];

/** Renames facts with the names of the line's own keys: a second `level` in one object would replace the first one. */
function withoutOwnKeys(fields: LogFields): LogFields {
  if (!ownKeys.some((name) => Object.hasOwn(fields, name))) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [ownKeys.includes(name) ? `${name}_` : name, value]),
  );
}

function plainLines(wire: LineWriter): WriteLine {
  return (level, message, fields) => {
    const facts = Object.entries(fields).filter(([, value]) => value !== undefined);
    const members = facts.map(([name, value]) => `${name}=${jsonText(value)}`);
    wire.write(`${[new Date().toISOString(), level.toUpperCase(), message, ...members].join(' ')}\n`);
  };
}
