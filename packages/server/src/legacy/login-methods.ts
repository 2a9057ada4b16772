import type { Log } from '@azimuth/device';
import type { LegacyAccess } from '@azimuth/device/legacy';
import { boolean, integer, type Level } from '@azimuth/model';
import { expectEnd, type Values } from './values.js';

/** The session that logs in and out. */
export interface LoginSession {
  level: Level;
  readonly log: Log;
}

/** A method of the legacy protocol itself, which is about the session that calls it: answers whether it was granted. */
export type SessionMethod = (values: Values, session: LoginSession) => boolean;

/** Their answer: 1 or 0. */
export const granted = boolean();

const levelNumber = integer('uint8');
const passwordHash = integer('uint32');

/** SetAccessMode, CheckPassword and Run. */
export function sessionMethods(access: LegacyAccess): ReadonlyMap<string, SessionMethod> {
  const login = (values: Values, log: Log): Level | undefined => {
    const number = values.read(levelNumber, 'level');
    const hash = values.read(passwordHash, 'password');
    expectEnd(values);
    return access.login(number, hash, log);
  };
  return new Map<string, SessionMethod>([
    [
      'SetAccessMode',
      (values, session) => {
        const level = login(values, session.log);
        if (level !== undefined) session.level = level;
        return level !== undefined;
      },
    ],
    ['CheckPassword', (values, { log }) => login(values, log) !== undefined],
    [
      'Run',
      (values, session) => {
        expectEnd(values);
        session.level = 'Run';
        return true;
      },
    ],
  ]);
}
