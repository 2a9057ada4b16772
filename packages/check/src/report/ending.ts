import type { CheckReport } from '../run/check-report.js';

/** What a report says of a check that ended early. */
export const endings: Readonly<Record<NonNullable<CheckReport['ended']>, string>> = {
  interrupted: 'The check was interrupted: the other cases were not run.',
  lost: 'The scanner does not answer any more: the other cases were not run.',
};
