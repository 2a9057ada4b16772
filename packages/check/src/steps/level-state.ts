import type { LoginLevel } from '@azimuth/model';
import { canLogIn } from './enabled-level.js';
import type { StepContext } from './step-context.js';

/**
 * Finds out whether a level can log in, by a login with its password: true or false is saved. No variable tells it. At a
 * disabled level, such a login does not count as a failed one.
 */
export interface LevelStateStep {
  readonly kind: 'level-state';
  readonly level: LoginLevel;
  /** Name under which true or false is saved. */
  readonly save: string;
}

export function levelState(level: LoginLevel, save: string): LevelStateStep {
  return { kind: 'level-state', level, save };
}

/** @throws NotTestable if the password is not known */
export async function performLevelState(
  { level, save }: LevelStateStep,
  context: StepContext,
): Promise<void> {
  context.saved.set(save, await canLogIn(level, context));
}
