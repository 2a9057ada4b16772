import {
  type ChangePlan,
  type PlannedParameter,
  parametersToSave,
  parametersToWrite,
  unsavedByOthers,
} from '@azimuth/client';
import { counted } from '@azimuth/model';
import { printable } from '../output/output.js';
import { changeLines } from '../restore/changes.js';
import { isOfUnit } from './site-names.js';

/** Returns the reason why a parameter is left out, for a person. */
export function skipText({ name, skipped, detail }: PlannedParameter): string {
  const reasons = {
    unknown: 'there is no parameter of this name',
    missing: 'this scanner does not have it',
    'read-only': 'it cannot be written',
    level: `only ${detail} may write it`,
    own: 'this scanner keeps its own',
    'not allowed': detail,
  } as const;
  return printable(`${name}: ${skipped === undefined ? '' : reasons[skipped]}`);
}

/**
 * Returns the lines of a plan: writes, parameters of this scanner only, other values that a save stores, and
 * parameters that are left out.
 */
export function planLines(plan: ChangePlan): readonly string[] {
  const writes = parametersToWrite(plan);
  const ofUnit = writes.filter(isOfOneScanner);
  const skipped = plan.parameters.filter(({ act }) => act === 'skip');
  return [
    ...changeLines(writes.filter((write) => !isOfOneScanner(write))),
    ...block('of this scanner alone:', changeLines(ofUnit)),
    ...block(
      'as wanted, but not saved yet:',
      parametersToSave(plan).map(({ name }) => name),
    ),
    ...block('changed by others and not saved; this saves it, too:', unsavedLines(plan)),
    ...block('left out:', skippedLines(skipped)),
  ];
}

/** Largest number of parameters that a scanner lacks, and that are named each in a line. */
const mostNamed = 3;

/** Returns why parameters are left out. A scanner of an older release lacks dozens: one line is enough for them. */
function skippedLines(skipped: readonly PlannedParameter[]): readonly string[] {
  const missing = skipped.filter((each) => each.skipped === 'missing');
  if (missing.length <= mostNamed) return skipped.map(skipText);
  const names = missing.slice(0, mostNamed).map(({ name }) => name);
  return [
    ...skipped.filter((each) => each.skipped !== 'missing').map(skipText),
    printable(
      `${counted(missing.length, 'parameter')} that this scanner does not have: ${names.join(', ')} and ${missing.length - mostNamed} more`,
    ),
  ];
}

/** Returns a plan for machines. `unsaved` is null if the scanner does not report it. */
export function planJson(plan: ChangePlan) {
  const { parameters, unsaved } = plan;
  return {
    changes: parametersToWrite(plan).map((write) => {
      const { name, from, to } = write;
      return { name, from, to, ofThisScannerAlone: isOfOneScanner(write) };
    }),
    save: parametersToSave(plan).map(({ name }) => name),
    unsaved:
      unsaved === undefined
        ? null
        : unsavedByOthers(plan).map(({ name, stored, working }) => ({ name, from: stored, to: working })),
    skipped: parameters
      .filter(({ act }) => act === 'skip')
      .map(({ name, skipped, detail }) => ({ name, reason: skipped, detail })),
  };
}

function unsavedLines(plan: ChangePlan): readonly string[] {
  return changeLines(
    unsavedByOthers(plan).map(({ name, variable, stored, working }) => ({
      name,
      variable,
      from: stored,
      to: working,
    })),
  );
}

function isOfOneScanner({ variable }: Pick<PlannedParameter, 'variable'>): boolean {
  return variable !== undefined && isOfUnit(variable);
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}
