import type { Log, LogFacts } from './host.js';

/** A log whose lines carry these facts too. They are asked for when a line is written, and not before. */
export function logWith(log: Log, facts: () => LogFacts): Log {
  return {
    info: (message, own) => log.info(message, { ...own, ...facts() }),
    warn: (message, own) => log.warn(message, { ...own, ...facts() }),
    error: (message, own) => log.error(message, { ...own, ...facts() }),
  };
}
