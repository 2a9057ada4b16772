import type { Log, LogFields } from './interfaces/environment.js';

/** The log where none is given: each entry is a line on stderr. */
export const stderrLog: Log = {
  info: (message, fields) => toStderr('info', message, fields),
  warn: (message, fields) => toStderr('warning', message, fields),
  error: (message, fields) => toStderr('error', message, fields),
};

function toStderr(severity: string, message: string, fields?: LogFields): void {
  const line = `${severity}: ${message}`;
  process.stderr.write(`${fields === undefined ? line : `${line} ${JSON.stringify(fields)}`}\n`);
}
