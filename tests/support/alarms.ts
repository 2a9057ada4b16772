import { object, parse } from './json.js';

/** Endpoints that exist and do nothing yet say so in these words. */
const notBuilt = /is not built yet/;

/** A detail of status 3 that is no error of the scanner's own. */
export function isExpectedFailure(detail: string): boolean {
  return notBuilt.test(detail) || detail === 'user: no user level of this name can log in';
}

/** Lines of the log that tell of an error of the scanner's own. */
export function alarmsIn(log: string): readonly string[] {
  return log.split('\n').filter((line) => line !== '' && !isHarmless(line));
}

function isHarmless(line: string): boolean {
  if (!line.startsWith('{')) return false;
  const { level, reason } = object(parse(line));
  if (typeof level === 'number' && level < 50) return true;
  return typeof reason === 'string' && isExpectedFailure(reason);
}
