import type { Log, LogFacts } from '@azimuth/device';
import { pino } from 'pino';
import { LineWire } from './line-wire.js';

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
  return logOn(new LineWire({ fd: process.stderr.fd, mostWaiting }), form);
}

/** A log on any wire. What the wire dropped is told as soon as what waited has been read. */
export function logOn(wire: LineWire, form: 'json' | 'lines'): ServiceLog {
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

function jsonLines(wire: LineWire): WriteLine {
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

function plainLines(wire: LineWire): WriteLine {
  return (level, message, facts) => {
    const told = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    wire.write(`${[new Date().toISOString(), labels[level], message, ...told].join(' ')}\n`);
  };
}
