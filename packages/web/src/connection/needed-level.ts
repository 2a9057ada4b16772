import type { Level, Method, Variable } from '@azimuth/model';

/** The lowest level that may call a method. */
export function levelToCall({ facts }: Pick<Method<never, unknown>, 'facts'>): Level {
  if (facts.level === 'open') return 'Run';
  return facts.level === 'login' ? 'Maintenance' : facts.level;
}

/** The lowest level that may write a variable; Service for one that nobody may write. */
export function levelToWrite({ facts }: { readonly facts: Pick<Variable<never>['facts'], 'write'> }): Level {
  return facts.write ?? 'Service';
}
