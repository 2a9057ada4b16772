import { type LoginLevel, levels } from '@azimuth/model';
import { call, performRequest } from './request.js';
import { NotTestable, passwordOf, type StepContext, Unmet } from './step-context.js';

/** Enables a user level if it is disabled. It is disabled again at the end of the case. */
export interface EnabledLevelStep {
  readonly kind: 'enabled-level';
  readonly level: LoginLevel;
}

export function enabledLevel(level: LoginLevel): EnabledLevelStep {
  return { kind: 'enabled-level', level };
}

/** @throws NotTestable if the level cannot be enabled, or if its password is not known or is another one */
export async function performEnabledLevel({ level }: EnabledLevelStep, context: StepContext): Promise<void> {
  passwordOf(context, level);
  if (level === 'Service' || (await canLogIn(level, context))) return;
  if (!context.subject.has('EnableUserLevel')) throw new NotTestable(`${level} cannot log in`);
  await setEnabled(level, true, context);
  context.closeAtEnd(() => setEnabled(level, false, context));
  if (!(await canLogIn(level, context))) throw new NotTestable(`needs the right password of ${level}`);
}

/** Returns true if a right login at a level is admitted. @throws NotTestable if its password is not known */
export async function canLogIn(level: LoginLevel, context: StepContext): Promise<boolean> {
  try {
    await performRequest(call('checkCredentials', undefined, { status: 0 }, { login: { level } }), context);
    return true;
  } catch (error) {
    if (error instanceof Unmet) return false;
    throw error;
  }
}

async function setEnabled(level: LoginLevel, isEnabled: boolean, context: StepContext): Promise<void> {
  const data = { userLevel: levels[level], isEnabled };
  await performRequest(
    call('EnableUserLevel', data, { status: 0, data: { has: { result: { is: 0 } } } }),
    context,
  );
}
