import type { CheckSubject } from '../../scanner/checked-scanner.js';
import type { Step } from '../../steps/index.js';
import { rightLogin } from '../auth/login.js';
import type { ConformanceCase } from '../case.js';
import { caseList, type ListedCase } from '../case-list.js';
import { loginAt, noLoginAt, whileLevelIs } from '../levels.js';
import { failures, locked, notLocked, unlock } from './steps.js';

/** Ends a possible lock first: then the state of levels can be put back. */
function atMaintenance(
  subject: CheckSubject,
  isEnabled: boolean,
  steps: readonly Step[],
): Pick<ListedCase, 'steps' | 'cleanup'> {
  const made = whileLevelIs(subject, 'Maintenance', isEnabled, steps);
  return { steps: made.steps, cleanup: [...unlock, ...(made.cleanup ?? [])] };
}

/** The two counts of failed logins: in a row at all levels, and of each level. */
export function levelLockCases(subject: CheckSubject): readonly ConformanceCase[] {
  const client = whileLevelIs(subject, 'AuthorizedClient', true, [loginAt('AuthorizedClient')]);
  const maintenance = whileLevelIs(subject, 'Maintenance', false, [
    rightLogin,
    failures(3),
    failures(1, 'AuthorizedClient'),
    noLoginAt('Maintenance'),
    failures(1),
    locked,
  ]);
  return caseList(
    'lock.level',
    { place: 'Azimuth: rest.md, Failed logins', level: 'should', stage: 'lock' },
    {
      id: 'common-count',
      clause:
        'Failed logins in a row count at all levels together: 3 at one level and 2 at another one lock.',
      place: 'specification: Authentication, rule 5',
      ...atMaintenance(subject, true, [
        loginAt('Maintenance'),
        rightLogin,
        failures(3),
        failures(2, 'Maintenance'),
        locked,
      ]),
    },
    {
      id: 'own-count',
      clause:
        'A level has a count of its own, which a login at another level does not end: the fifth failure locks.',
      ...atMaintenance(subject, true, [
        loginAt('Maintenance'),
        failures(4, 'Maintenance'),
        rightLogin,
        failures(1, 'Maintenance'),
        locked,
      ]),
    },
    {
      id: 'own-count-below-five',
      clause: 'The count of a level locks at 5, not earlier.',
      ...atMaintenance(subject, true, [
        loginAt('Maintenance'),
        failures(3, 'Maintenance'),
        rightLogin,
        failures(1, 'Maintenance'),
        notLocked,
        loginAt('Maintenance'),
      ]),
    },
    {
      id: 'own-count-ended',
      clause: 'A login at a level ends the count of this level.',
      ...atMaintenance(subject, true, [
        loginAt('Maintenance'),
        failures(4, 'Maintenance'),
        loginAt('Maintenance'),
        failures(4, 'Maintenance'),
        notLocked,
        loginAt('Maintenance'),
      ]),
    },
    {
      id: 'own-count-anew',
      clause: 'After a lock, the counts of all levels begin at 0.',
      ...atMaintenance(subject, true, [
        loginAt('Maintenance'),
        failures(3, 'Maintenance'),
        rightLogin,
        failures(5),
        ...unlock,
        failures(3, 'Maintenance'),
        rightLogin,
        notLocked,
        loginAt('Maintenance'),
      ]),
    },
    {
      id: 'row-ended-by-lower-level',
      clause: 'A login at any enabled level ends the row of failed logins.',
      ...atMaintenance(subject, true, [
        rightLogin,
        failures(2),
        failures(2, 'Maintenance'),
        loginAt('Maintenance'),
        failures(1),
        failures(1, 'Maintenance'),
        notLocked,
        loginAt('Maintenance'),
        rightLogin,
      ]),
    },
    {
      id: 'disabled-not-counted',
      clause: 'Failed logins at a disabled level do not count.',
      names: ['EnableUserLevel'],
      ...atMaintenance(subject, false, [failures(6, 'Maintenance'), notLocked, rightLogin]),
    },
    {
      id: 'disabled-does-not-clear',
      clause: 'A right password at a disabled level does not end a row of failed logins.',
      names: ['EnableUserLevel'],
      steps: [...client.steps, ...maintenance.steps],
      cleanup: [...unlock, ...(client.cleanup ?? []), ...(maintenance.cleanup ?? [])],
    },
  );
}
