import { completed } from '@azimuth/client';
import { builtInInterface, type KnownInterface, type Variable } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { isMap, isScalar } from 'yaml';
import { z } from 'zod';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { members, text, validMembers } from '../yaml/yaml-form.js';
import { parameterValue } from '../yaml/yaml-value.js';
import { isOfUnit, SiteNames } from './site-names.js';

/** Values of one scanner in a file. */
interface SiteScanner {
  /** Its name in the devices file, or its URL. */
  readonly key: string;
  /** The required serial number; undefined for any. */
  readonly serial: string | undefined;
  readonly values: SiteValues;
}

/** JSON values by the names of the parameters. Members of structs may be missing. */
export type SiteValues = ReadonlyMap<string, unknown>;

/** Sections whose members are parameters. */
const byNames = z.unknown();

/** The form of a site file, without the parameters. */
const siteForm = members('expected parameters and scanners', {
  parameters: byNames.optional(),
  scanners: byNames.optional(),
});

const scannerForm = members('expected serial, release, unit, parameters', {
  serial: text.nullish(),
  release: text.nullish(),
  unit: byNames.optional(),
  parameters: byNames.optional(),
});

/** The parameters of one or more scanners in a file. */
export class SiteFile {
  readonly file: YamlFile;
  readonly names: SiteNames;
  /** Values for all scanners. */
  readonly shared: SiteValues;
  readonly scanners: ReadonlyMap<string, SiteScanner>;

  /**
   * @param known what is known of the names of its scanners; the model by default
   * @throws FileMistakes with all mistakes in the text
   */
  constructor(path: string, text: string, known: KnownInterface = builtInInterface) {
    const file = new YamlFile(path, text);
    const names = new SiteNames(known);
    this.file = file;
    this.names = names;
    file.throwMistakes();
    const { contents } = file.document;
    if (isMap(contents) && contents.has('checksum') && contents.has('device identification')) {
      file.report(contents, 'this is a backup, no site file: azimuth restore writes it to a scanner');
    }
    file.throwMistakes();
    const top = validMembers(file, siteForm, contents, { unknown: noMember(names, 'of a site file') });
    this.shared = valuesIn({ file, names }, top.parameters, 'shared');
    const scanners = memberPairs(file, top.scanners, 'scanners by their names or URLs');
    this.scanners = new Map(
      scanners.map(([key, , entry]) => [key, siteScanner({ file, names }, key, entry, this.shared)]),
    );
    if (isMap(contents) && !contents.has('parameters') && !contents.has('scanners')) {
      file.report(contents, 'expected parameters or scanners');
    }
    file.throwMistakes();
  }

  /** Returns the values for a scanner with one of these names; undefined if the file has none. */
  scannerNamed(...keys: readonly string[]): SiteScanner | undefined {
    const key = keys.find((each) => this.scanners.has(each));
    const found = key === undefined ? undefined : this.scanners.get(key);
    if (found !== undefined || this.shared.size === 0) return found;
    return { key: keys[0] ?? '', serial: undefined, values: this.shared };
  }
}

/** A file, and the names that it may use. */
interface NamedFile {
  readonly file: YamlFile;
  readonly names: SiteNames;
}

function siteScanner(place: NamedFile, key: string, entry: unknown, shared: SiteValues): SiteScanner {
  const { file, names } = place;
  const unknown = noMember(names, `of scanner ${key}`, 'unit or ');
  const found = isEmpty(file.resolved(entry)) ? {} : validMembers(file, scannerForm, entry, { unknown });
  const values = new Map(shared);
  for (const [name, value] of [
    ...valuesIn(place, found.parameters, 'parameters'),
    ...valuesIn(place, found.unit, 'unit'),
  ]) {
    const shape = names.parameter(name)?.type.shape;
    values.set(name, shape === undefined ? value : completed(shape, value, shared.get(name)));
  }
  return { key, serial: found.serial ?? undefined, values };
}

/**
 * Reads the values below a member. @param section their section: parameters of one scanner only have a section of
 * their own
 */
function valuesIn(
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
function noMember(names: SiteNames, whose: string, besides = '') {
  return (member: string, known: readonly string[]): string => {
    const suggestion = nearestName(member, known);
    const isParameter =
      names.parameter(member) !== undefined ? `; parameters are below ${besides}parameters` : '';
    return `"${member}" is no member ${whose}${suggestion === undefined ? isParameter : `; did you mean ${suggestion}?`}`;
  };
}

function memberPairs(
  file: YamlFile,
  node: unknown,
  expected: string,
): readonly (readonly [name: string, key: unknown, value: unknown])[] {
  const map = file.resolved(node);
  if (isMap(map)) return map.items.map(({ key, value }) => [keyName(key), key, value] as const);
  if (!isEmpty(map)) file.report(node, `expected ${expected}`);
  return [];
}

function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null);
}

/** Returns the name in a key, as written. */
export function keyName(key: unknown): string {
  if (!isScalar(key)) return typeof key === 'string' ? key : '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

/** Reads the text of a site file. @throws CommandFailure if it cannot be read */
export function siteTextAt(path: string): Promise<string> {
  return readTextFile(path, { limit: maxFileBytes.site });
}

/**
 * Returns the names or URLs of the scanners in a site file, also in one with mistakes in the values.
 * @throws FileMistakes if it is no YAML
 */
export function scannersInFile(path: string, text: string): readonly string[] {
  const file = new YamlFile(path, text);
  file.throwMistakes();
  const { contents } = file.document;
  const scanners = isMap(contents) ? file.resolved(contents.get('scanners', true)) : undefined;
  return isMap(scanners) ? scanners.items.map(({ key }) => keyName(key)) : [];
}

/**
 * Returns the words after `--device` for the scanners of a file: URLs, and names of the devices file with an `@`.
 * @param keys as in the file
 */
export async function deviceArguments(keys: readonly string[]): Promise<readonly string[]> {
  if (keys.every(isUrl)) return keys;
  const { DevicesFile } = await import('../scanners/devices-file.js');
  const { content } = await DevicesFile.read();
  const names = new Set(content.devices.map(({ name }) => name));
  // A host without http:// is a URL, too, unless a scanner has this name.
  return keys.map((key) => (isUrl(key) || (!names.has(key) && /[.:]/.test(key)) ? key : `@${key}`));
}

function isUrl(key: string): boolean {
  return /^[a-z]+:\/\//i.test(key);
}
