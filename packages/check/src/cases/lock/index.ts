import type { Area } from '../case.js';
import { levelLockCases } from './levels.js';
import { basicLockCases, passwordLockCases } from './other-logins.js';
import { lockCases } from './rest.js';

/** The lock of logins. */
export const lockArea: Area = {
  name: 'lock',
  title: 'Lock of logins',
  cases: (subject) => [...lockCases, ...levelLockCases(subject), ...passwordLockCases, ...basicLockCases],
};
