import { type CallLevel, type Declaration, Variable } from '../declaration.js';
import { eventsSince } from '../interface.js';
import { isFrom, oldestRelease } from '../release.js';

/** In which releases and variants something exists; nothing to say where it is in all. */
export function existence(declaration: Declaration): string[] {
  const { since, until } = declaration.facts;
  return [
    ...(since === undefined ? [] : [`from ${since} on`]),
    ...(until === undefined ? [] : [`before ${until} only`]),
    ...(declaration.variant === undefined ? [] : [`variant ${declaration.variant} only`]),
  ];
}

/** Who may read, write or call, in words. */
export function levelOfCall(level: CallLevel): string {
  if (level === 'open') return 'anybody calls';
  return level === 'login' ? 'any enabled level calls' : `${level} calls`;
}

/** From which release on changes of a value are pushed; undefined for a value that is no event. */
export function eventFrom(declaration: Declaration): string | undefined {
  if (!(declaration instanceof Variable) || declaration.facts.event !== true) return undefined;
  const since = declaration.facts.since ?? oldestRelease;
  return isFrom(since, eventsSince) ? since : eventsSince;
}
