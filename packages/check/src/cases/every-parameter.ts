import { networkGroups, sameJson, type Variable } from '@azimuth/model';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { get, type Step, write } from '../steps/index.js';
import { valuesOf, variablesOf } from './derived/values-of-variable.js';
import { variableExceptions } from './derived/variable-exceptions.js';
import { stillReads } from './saving-steps.js';

/** Parameters that stay as they are: a scanner that does not measure after a boot would not be the same for later cases. */
const untouched = new Set(['AutoStartMeasure']);

/** Parameters that a case can change without losing the scanner. */
function changeable(subject: CheckSubject): readonly Variable<unknown>[] {
  return variablesOf(subject).filter((variable) => {
    const { name, group, stored, facts } = variable;
    if (!stored || facts.write === undefined || networkGroups.includes(group) || untouched.has(name))
      return false;
    const { initial, other } = valuesOf(variable, subject);
    return !sameJson(initial, other);
  });
}

/** Gives each parameter another value, as far as the scanner takes it, and saves under its name what it then has. */
export function everyParameterChanged(subject: CheckSubject): readonly Step[] {
  const all = changeable(subject);
  return [
    ...all.flatMap(({ name }) => variableExceptions[name]?.before ?? []),
    ...all.map((variable) => write(variable.name, valuesOf(variable, subject).other, {})),
    ...all.map(({ name }) => get(name, {}, { save: { [name]: `data.${name}` } })),
  ];
}

/** Gives each parameter its default. */
export function everyParameterAtDefault(subject: CheckSubject): readonly Step[] {
  return changeable(subject).map((variable) => write(variable.name, valuesOf(variable, subject).initial, {}));
}

/** Expects the values that `everyParameterChanged` has saved. */
export function everyParameterAsChanged(subject: CheckSubject): readonly Step[] {
  return changeable(subject).map(({ name }) => stillReads(name));
}
