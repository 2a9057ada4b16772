import type { Variable } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { isMap, isScalar } from 'yaml';
import type { YamlFile } from '../yaml/yaml-file.js';
import { parameterValue } from '../yaml/yaml-value.js';
import { isOfUnit, type SiteNames } from './site-names.js';

/** JSON values by the names of the parameters. Members of structs may be missing. */
export type SiteValues = ReadonlyMap<string, unknown>;

/** A file, and the names that it may use. */
export interface NamedFile {
  readonly file: YamlFile;
  readonly names: SiteNames;
}

/**
 * Reads the values below a member. @param section their section: parameters of one scanner only have a section of
 * their own
 */
export function valuesIn(
  { file, names }: NamedFile,
  node: unknown,
  section: 'shared' | 'parameters' | 'unit',
): SiteValues {
  const values = new Map<string, unknown>();
  for (const [name, key, value] of memberPairs(file, node, 'parameters by their names')) {
    const variable = names.parameter(name);
    const misplaced =
      variable === undefined ? unknownName(names, name) : misplacedIn(variable, name, section);
    if (variable === undefined || misplaced !== undefined) file.report(key, misplaced ?? '');
    else {
      const json = parameterValue(file, variable, value);
      if (json !== undefined) values.set(variable.name, json);
    }
  }
  return values;
}

function unknownName(names: SiteNames, name: string): string {
  const suggestion = nearestName(name, names.names);
  if (suggestion !== undefined) return `there is no parameter "${name}"; did you mean ${suggestion}?`;
  return names.isOtherVariable(name)
    ? `${name} is no parameter: it cannot be saved`
    : `there is no parameter "${name}"`;
}

function misplacedIn(
  variable: Variable<unknown>,
  name: string,
  section: 'shared' | 'parameters' | 'unit',
): string | undefined {
  if (isOfUnit(variable) === (section === 'unit')) return undefined;
  return isOfUnit(variable)
    ? `${name} belongs to one scanner: put it below scanners, below the name of the scanner, below unit`
    : `${name} does not belong to one scanner: put it below parameters`;
}

/** Returns the message about an unknown member. @param besides another place for parameters */
export function noMember(names: SiteNames, whose: string, besides = '') {
  return (member: string, known: readonly string[]): string => {
    const suggestion = nearestName(member, known);
    const isParameter =
      names.parameter(member) !== undefined ? `; parameters are below ${besides}parameters` : '';
    return `"${member}" is no member ${whose}${suggestion === undefined ? isParameter : `; did you mean ${suggestion}?`}`;
  };
}

export function memberPairs(
  file: YamlFile,
  node: unknown,
  expected: string,
): readonly (readonly [name: string, key: unknown, value: unknown])[] {
  const map = file.resolved(node);
  if (isMap(map)) return map.items.map(({ key, value }) => [keyName(key), key, value] as const);
  if (!isEmpty(map)) file.report(node, `expected ${expected}`);
  return [];
}

export function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null);
}

/** Returns the name in a key, as written. */
export function keyName(key: unknown): string {
  if (!isScalar(key)) return typeof key === 'string' ? key : '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}
