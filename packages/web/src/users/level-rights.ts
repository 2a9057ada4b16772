import { general, isLoginLevel, isObject, type LoginLevel, levelOfNumber, loginLevels } from '@azimuth/model';
import type { Edition } from '../connection/declarations.js';
import { levelToCall, variablesOf } from '../connection/declarations.js';
import type { Change } from '../connection/history.js';
import type { ScannerLink } from '../connection/scanner-link.js';

const { EnableUserLevel } = general.members;

/** Rights of a level that the levels below it do not have. */
interface Rights {
  /** Variables that it may change. */
  readonly writes: readonly string[];
  /** Methods that it may call. */
  readonly calls: readonly string[];
}

/** Returns the rights that a level adds to those of the levels below it, on a scanner of this edition. */
export function rightsOf(level: LoginLevel, edition: Edition): Rights {
  return {
    writes: variablesOf(edition)
      .filter((variable) => variable.facts.write === level)
      .map(({ name }) => name),
    calls: edition.known.methods
      .filter((method) => method.isIn(edition) && levelToCall(method) === level)
      .map(({ name }) => name),
  };
}

/** True if somebody can log in at a level. A scanner does not send it; undefined if nothing on this page shows it. */
export function isOn(
  level: LoginLevel,
  known: {
    /** True if levels can be switched off. */
    readonly canSwitch: boolean;
    readonly loggedIn: LoginLevel | undefined;
    readonly changes: readonly Change[];
  },
): boolean | undefined {
  if (level === 'Service' || !known.canSwitch) return true;
  const last = known.changes.findLast(
    (change) => change.kind === 'call' && switchedBy(change)?.level === level,
  );
  const switched = last === undefined ? undefined : switchedBy(last)?.isEnabled;
  return switched ?? (known.loggedIn === level ? true : undefined);
}

/** The levels that are switched off, as far as this visit knows. */
export function levelsOff({
  edition,
  history,
  login,
}: Pick<ScannerLink, 'edition' | 'history' | 'login'>): readonly LoginLevel[] {
  const known = {
    canSwitch: edition.value !== undefined && EnableUserLevel.isIn(edition.value),
    loggedIn: login.level,
    changes: history.changes.value,
  };
  return loginLevels.filter((level) => isOn(level, known) === false);
}

/** The level that a change of this visit switched, and whether it was switched on. */
function switchedBy(change: Change): { readonly level: LoginLevel; readonly isEnabled: boolean } | undefined {
  if (change.kind !== 'call' || change.name !== EnableUserLevel.name) return undefined;
  if (!isObject(change.request)) return undefined;
  const { userLevel, isEnabled } = change.request;
  const level = typeof userLevel === 'number' ? levelOfNumber(userLevel) : undefined;
  if (level === undefined || !isLoginLevel(level) || typeof isEnabled !== 'boolean') return undefined;
  return { level, isEnabled };
}
