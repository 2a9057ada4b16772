import { backupRestore, fieldEvaluation, general } from '@azimuth/model';
import type { Change } from './history.js';

const { WriteEeprom, SoftReset, RebootDevice, LoadFactoryDefaults, LoadApplicationDefaults } =
  general.members;

/** Methods after which no earlier change is unsaved: it is stored, or the reboot has lost it. */
const ending: ReadonlySet<string> = new Set([WriteEeprom, SoftReset, RebootDevice].map(({ name }) => name));

/** Methods that change parameters. */
const changing: ReadonlySet<string> = new Set(
  [
    ...[LoadFactoryDefaults, LoadApplicationDefaults],
    ...[backupRestore.members.RestoreParameterBackup, fieldEvaluation.members.SetFieldEvaluationContour],
  ].map(({ name }) => name),
);

/**
 * The variables and methods by which this visit has changed parameters since it last saved, each once. It is all that
 * is known of a scanner that does not tell its stored parameters.
 * @param changes of the visit, the oldest first
 * @param isParameter true for a variable that a save stores
 */
export function unsavedHere(
  changes: readonly Change[],
  isParameter: (name: string) => boolean,
): readonly string[] {
  const names = new Set<string>();
  for (const { kind, name } of changes) {
    if (kind === 'write' ? isParameter(name) : changing.has(name)) names.add(name);
    else if (ending.has(name)) names.clear();
  }
  return [...names];
}
