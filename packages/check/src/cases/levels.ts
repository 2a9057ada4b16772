import type { LoginLevel } from '@azimuth/model';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { call, levelState, post, type Step } from '../steps/index.js';
import type { ConformanceCase } from './case.js';

/** Numbers of the levels that can log in. */
export const levelNumbers: Readonly<Record<LoginLevel, number>> = {
  Maintenance: 2,
  AuthorizedClient: 3,
  Service: 4,
};

/** Enables or disables a level. */
export function switchLevel(level: LoginLevel, isEnabled: boolean | { readonly saved: string }): Step {
  return call('EnableUserLevel', { userLevel: levelNumbers[level], isEnabled });
}

/**
 * Steps with a level enabled or disabled, and those that put its state back. A release without EnableUserLevel has all
 * levels enabled from the factory on.
 */
export function whileLevelIs(
  subject: CheckSubject,
  level: LoginLevel,
  isEnabled: boolean,
  steps: readonly Step[],
): Pick<ConformanceCase, 'steps' | 'cleanup'> {
  if (!subject.has('EnableUserLevel')) return { steps: [loginAt(level, 'the level is enabled'), ...steps] };
  const before = `was${level}`;
  return {
    steps: [levelState(level, before), switchLevel(level, isEnabled), ...steps],
    cleanup: [switchLevel(level, { saved: before })],
  };
}

/** A right login at a level. @param premise why a case cannot be tested if the login is refused */
export function loginAt(level: LoginLevel, premise?: string): Step {
  const more = premise === undefined ? {} : { requires: `needs that ${premise}` };
  return post('checkCredentials', { status: 0 }, { login: { level }, ...more });
}

/** A right login at a level that is refused. */
export function noLoginAt(level: LoginLevel): Step {
  return post('checkCredentials', { status: 4 }, { login: { level } });
}
