import type { Area } from '../case.js';
import { enablingCases, legacyEnablingCases } from './enabling.js';
import { legacyPasswordCases, passwordCases } from './passwords.js';
import { rightsCases } from './rights.js';

/** User levels and their passwords. */
export const levelArea: Area = {
  name: 'level',
  title: 'User levels and passwords',
  cases: (subject) => [
    ...enablingCases(subject),
    ...legacyEnablingCases,
    ...rightsCases(subject),
    ...passwordCases(subject),
    ...legacyPasswordCases(subject),
  ],
};
