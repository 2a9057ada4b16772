import type { Log } from '@azimuth/device';
import { pino } from 'pino';

/** A log on stderr: JSON lines for machines, a line with the time in front for people. */
export function logTo(form: 'json' | 'lines'): Log {
  if (form === 'json') {
    const logger = pino(
      { base: null, timestamp: pino.stdTimeFunctions.isoTime },
      pino.destination({ dest: 2, sync: true }),
    );
    return {
      info: (message, facts = {}) => logger.info(facts, message),
      warn: (message, facts = {}) => logger.warn(facts, message),
      error: (message, facts = {}) => logger.error(facts, message),
    };
  }
  const line =
    (label: string) =>
    (message: string, facts: Readonly<Record<string, unknown>> = {}) => {
      const told = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      process.stderr.write(`${[new Date().toISOString(), label, message, ...told].join(' ')}\n`);
    };
  return { info: line('info'), warn: line('WARN'), error: line('ERROR') };
}
