import {
  allParameters,
  allVariables,
  extensionPrefix,
  extensionVariables,
  Fault,
  type Level,
  reaches,
  sameJson,
  type Variable,
} from '@azimuth/model';
import type { BackupContent } from './backup-content.js';
import { type OwnPart, ownPartOf } from './other-unit.js';

/** Why a parameter is not written. */
export type SkipReason =
  /** Azimuth knows no variable of this name. */
  | 'unknown'
  /** The scanner does not have it: its release or variant is another one. */
  | 'missing'
  /** Nobody can write it. */
  | 'read-only'
  /** The login may not write it. */
  | 'level'
  /** Name or network of the scanner stay as they are. */
  | 'own'
  /** The value is not allowed. */
  | 'not allowed';

/** What is done with one parameter to give it the value that is wanted. JSON values. */
export interface PlannedParameter {
  /** As it is read and written: extensions have a prefix. */
  readonly name: string;
  /** Undefined if Azimuth does not know it. */
  readonly variable: Variable<unknown> | undefined;
  /** The value now; undefined if the scanner does not have the parameter. */
  readonly from: unknown;
  /** The value that is wanted. */
  readonly to: unknown;
  readonly act: 'write' | 'same' | 'skip';
  /** Undefined unless it is skipped. */
  readonly skipped: SkipReason | undefined;
  /** For `level`, the lowest level that may write it; for `not allowed`, what is wrong. Otherwise empty. */
  readonly detail: string;
}

export interface PlanOptions {
  /** The level of the login; without one, levels are not looked at. */
  readonly level?: Level | undefined;
  /** What stays as it is although another value is wanted; nothing by default. */
  readonly keeps?: readonly OwnPart[] | undefined;
}

const known = new Map([...allVariables, ...extensionVariables].map((variable) => [variable.name, variable]));
const extensions = new Set(extensionVariables);
const order = new Map(allParameters.map((variable, index) => [variable, index]));

/** The names under which the parameters of a backup are read, as far as Azimuth knows them. */
export function parametersIn({ values }: Pick<BackupContent, 'values'>): readonly string[] {
  return [...values.keys()].flatMap((name) => {
    const variable = known.get(name);
    return variable === undefined ? [] : [wireName(variable)];
  });
}

/**
 * What has to be written so that a scanner has these values, in which order, and what is left out. Name and network come
 * last, behind the other parameters in the order of the interface; unknown ones at the very end. What a scanner makes of
 * the values of an older release is not considered.
 * @param values by the names of the parameters
 * @param now the values of the scanner, by the names of `parametersIn`
 */
export function plannedChanges(
  values: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
  options: PlanOptions = {},
): readonly PlannedParameter[] {
  return [...values]
    .map(([name, to]) => planned(name, to, now, options))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

function planned(
  inFile: string,
  json: unknown,
  now: ReadonlyMap<string, unknown>,
  options: PlanOptions,
): PlannedParameter {
  const variable = known.get(inFile);
  const name = variable === undefined ? inFile : wireName(variable);
  const to = variable === undefined ? json : variable.migrated(json);
  const from = now.get(name);
  const facts = { name, variable, from, to };
  if (variable !== undefined && from !== undefined && sameValue(variable, from, to)) {
    return { ...facts, act: 'same', skipped: undefined, detail: '' };
  }
  const [skipped, detail = ''] = obstacle(variable, from, to, options);
  return { ...facts, act: skipped === undefined ? 'write' : 'skip', skipped, detail };
}

/** Why a parameter is not written, with the detail; empty if it is written. */
function obstacle(
  variable: Variable<unknown> | undefined,
  from: unknown,
  to: unknown,
  { level, keeps = [] }: PlanOptions,
): readonly [SkipReason?, string?] {
  if (variable === undefined) return ['unknown'];
  if (from === undefined) return ['missing'];
  const { write } = variable.facts;
  if (write === undefined) return ['read-only'];
  const part = ownPartOf(variable);
  if (part !== undefined && keeps.includes(part)) return ['own'];
  const fault = faultOf(variable, to);
  if (fault !== undefined) return ['not allowed', fault];
  if (level !== undefined && !reaches(level, write)) return ['level', write];
  return [];
}

/** Do two JSON values mean the same to a variable? A scanner may complete a value, and round it to its type. */
export function sameValue({ type, name }: Variable<unknown>, one: unknown, other: unknown): boolean {
  if (sameJson(one, other)) return true;
  try {
    return sameJson(type.fromJson(one, name), type.fromJson(other, name));
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

function faultOf(variable: Variable<unknown>, json: unknown): string | undefined {
  try {
    variable.valueFrom(json);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

function placeOf({ variable }: PlannedParameter): number {
  if (variable === undefined) return Number.POSITIVE_INFINITY;
  const place = order.get(variable) ?? order.size;
  return ownPartOf(variable) === undefined ? place : order.size + 1 + place;
}

/** The name of a parameter as it is read and written: extensions have a prefix. */
export function wireName(variable: Variable<unknown>): string {
  return extensions.has(variable) ? extensionPrefix + variable.name : variable.name;
}
