import type { Area } from '../case.js';
import { basicCases } from './basic.js';
import { challengeCases, realmCases } from './challenge.js';
import { loginCases, orderCases } from './login.js';
import { floodCases, pendingCases } from './pending.js';

/** Challenges, logins, and the order of checks. */
export const authArea: Area = {
  name: 'auth',
  title: 'Authentication',
  cases: (subject) => [
    ...challengeCases,
    ...realmCases(subject),
    ...loginCases,
    ...orderCases,
    ...pendingCases,
    ...floodCases,
    ...basicCases,
  ],
};
