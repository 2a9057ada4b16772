import type { Release, Variable } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { type Edge, edgesOf } from './edges.js';
import { asJson } from './json-value.js';
import { otherValue } from './other-value.js';
import { variableExceptions } from './variable-exceptions.js';

/** Values of a variable with which its cases are made. */
export interface ValuesOfVariable {
  /** Value after LoadFactoryDefaults, on a scanner that was delivered with its release. */
  readonly initial: Json;
  /** Another valid value. It is the same if there is no other. */
  readonly other: Json;
  readonly edges: readonly Edge[];
}

/** Values by release: many cases share them. */
const known = new Map<Release, WeakMap<Variable<unknown>, ValuesOfVariable>>();

/** Returns the values that the cases of a variable use. */
export function valuesOf(
  variable: Variable<unknown>,
  { release }: Pick<CheckSubject, 'release'>,
): ValuesOfVariable {
  const ofRelease = known.get(release) ?? new WeakMap<Variable<unknown>, ValuesOfVariable>();
  known.set(release, ofRelease);
  const values = ofRelease.get(variable) ?? derivedValues(variable, release);
  ofRelease.set(variable, values);
  return values;
}

function derivedValues(variable: Variable<unknown>, release: Release): ValuesOfVariable {
  const initial = asJson(variable.factoryValue({ release, createdWith: release }));
  const { shape } = variable.type;
  const { other = otherValue(shape, initial), edges = edgesOf(shape, initial) } =
    variableExceptions[variable.name] ?? {};
  return { initial, other, edges };
}

/** Returns the variables that a scanner has, in the order of the interface. */
export function variablesOf({ known, has }: CheckSubject): readonly Variable<unknown>[] {
  return known.variables.filter(({ name }) => has(name));
}
