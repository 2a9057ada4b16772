import type { CallLevel, Level } from '@azimuth/model';

/** The lowest level that may call a method; undefined if nobody has to log in. */
export function levelToCall(level: CallLevel): Level | undefined {
  if (level === 'open') return undefined;
  return level === 'login' ? 'Maintenance' : level;
}
