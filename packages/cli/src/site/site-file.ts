import { completed } from '@azimuth/client';
import { allParameters, allVariables, extensionPrefix, type Variable } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { isMap, isScalar } from 'yaml';
import { z } from 'zod';
import { longestFile, textOfFile } from '../input/bounded-file.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { members, rightMembersOf, text } from '../yaml/yaml-form.js';
import { parameterValue } from '../yaml/yaml-value.js';

/** What a file wants of one scanner. */
interface SiteScanner {
  /** Its name in the devices file, or its URL. */
  readonly key: string;
  /** The serial number that it has to have; undefined for any. */
  readonly serial: string | undefined;
  readonly values: SiteValues;
}

/** JSON values by the names of the parameters. Members of structs may be missing. */
export type SiteValues = ReadonlyMap<string, unknown>;

/** What is below names, which say what it is. */
const byNames = z.unknown();

/** The form of a site file, as far as names do not decide it. */
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

const parameters = new Map(
  allParameters.flatMap((variable) =>
    [siteName(variable), variable.name, ...(variable.facts.aliases ?? [])].map((name) => [name, variable]),
  ),
);

/** The name of a parameter in a site file and on a command line: extensions have a prefix. */
export function siteName(variable: Variable<unknown>): string {
  return allVariables.includes(variable) ? variable.name : extensionPrefix + variable.name;
}

/** Does a parameter belong to one scanner alone, as its name and its address? */
export function isOfUnit({ facts }: Variable<unknown>): boolean {
  return facts.ofOneScanner === true;
}

/** The parameter of a name in a file; undefined if there is none. */
export function parameterNamed(name: string): Variable<unknown> | undefined {
  return parameters.get(name);
}

/** The parameters of one or more scanners, as a file has them. */
export class SiteFile {
  readonly file: YamlFile;
  /** What all scanners have in common. */
  readonly shared: SiteValues;
  readonly scanners: ReadonlyMap<string, SiteScanner>;

  /** @throws FileMistakes with all mistakes in the text */
  constructor(path: string, text: string) {
    const file = new YamlFile(path, text);
    this.file = file;
    file.throwMistakes();
    const { contents } = file.document;
    if (isMap(contents) && contents.has('checksum') && contents.has('device identification')) {
      file.report(contents, 'this is a backup, no site file: azimuth restore writes it to a scanner');
    }
    file.throwMistakes();
    const top = rightMembersOf(file, siteForm, contents, { unknown: noMember('of a site file') });
    this.shared = valuesIn(file, top.parameters, 'shared');
    const scanners = pairsOf(file, top.scanners, 'scanners by their names or URLs');
    this.scanners = new Map(
      scanners.map(([key, , entry]) => [key, scannerOf(file, key, entry, this.shared)]),
    );
    if (isMap(contents) && !contents.has('parameters') && !contents.has('scanners')) {
      file.report(contents, 'expected parameters or scanners');
    }
    file.throwMistakes();
  }

  /** What the file wants of a scanner with one of these names; undefined if it says nothing about it. */
  wanted(...keys: readonly string[]): SiteScanner | undefined {
    const key = keys.find((each) => this.scanners.has(each));
    const found = key === undefined ? undefined : this.scanners.get(key);
    if (found !== undefined || this.shared.size === 0) return found;
    return { key: keys[0] ?? '', serial: undefined, values: this.shared };
  }
}

function scannerOf(file: YamlFile, key: string, entry: unknown, shared: SiteValues): SiteScanner {
  const unknown = noMember(`of scanner ${key}`, 'unit or ');
  const found = isEmpty(file.resolved(entry)) ? {} : rightMembersOf(file, scannerForm, entry, { unknown });
  const values = new Map(shared);
  for (const [name, value] of [
    ...valuesIn(file, found.parameters, 'parameters'),
    ...valuesIn(file, found.unit, 'unit'),
  ]) {
    const shape = parameters.get(name)?.type.shape;
    values.set(name, shape === undefined ? value : completed(shape, value, shared.get(name)));
  }
  return { key, serial: found.serial ?? undefined, values };
}

/** The values below a member. @param section where they are: what belongs to one scanner has a section of its own */
function valuesIn(file: YamlFile, node: unknown, section: 'shared' | 'parameters' | 'unit'): SiteValues {
  const values = new Map<string, unknown>();
  for (const [name, key, value] of pairsOf(file, node, 'parameters by their names')) {
    const variable = parameters.get(name);
    const misplaced = variable === undefined ? unknownName(name) : misplacedIn(variable, name, section);
    if (variable === undefined || misplaced !== undefined) file.report(key, misplaced ?? '');
    else {
      const json = parameterValue(file, variable, value);
      if (json !== undefined) values.set(variable.name, json);
    }
  }
  return values;
}

function unknownName(name: string): string {
  const meant = nearestName(name, [...parameters.keys()]);
  if (meant !== undefined) return `there is no parameter "${name}"; did you mean ${meant}?`;
  return allVariables.some((variable) => variable.name === name)
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

/** What is told of a member that there is not. @param besides where parameters may be, too */
function noMember(whose: string, besides = '') {
  return (member: string, known: readonly string[]): string => {
    const meant = nearestName(member, known);
    const isParameter = parameters.has(member) ? `; parameters are below ${besides}parameters` : '';
    return `"${member}" is no member ${whose}${meant === undefined ? isParameter : `; did you mean ${meant}?`}`;
  };
}

function pairsOf(
  file: YamlFile,
  node: unknown,
  expected: string,
): readonly (readonly [name: string, key: unknown, value: unknown])[] {
  const map = file.resolved(node);
  if (isMap(map)) return map.items.map(({ key, value }) => [nameOf(key), key, value] as const);
  if (!isEmpty(map)) file.report(node, `expected ${expected}`);
  return [];
}

function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null);
}

/** The name that a key is, as it is written. */
export function nameOf(key: unknown): string {
  if (!isScalar(key)) return typeof key === 'string' ? key : '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

/** @throws CommandFailure if it cannot be read, FileMistakes with all mistakes in it */
export async function siteFileAt(path: string): Promise<SiteFile> {
  return new SiteFile(path, await textOfFile(path, { limit: longestFile.site }));
}

/**
 * The words behind `--device` that mean the scanners of a file: URLs, and names of the devices file with an `@`.
 * @param keys as they are in the file
 */
export async function wordsFor(keys: readonly string[]): Promise<readonly string[]> {
  if (keys.every(isUrl)) return keys;
  const { DevicesFile } = await import('../scanners/devices-file.js');
  const { content } = await DevicesFile.read();
  const names = new Set(content.devices.map(({ name }) => name));
  // A host without http:// is a URL, too, if no scanner has it as its name.
  return keys.map((key) => (isUrl(key) || (!names.has(key) && /[.:]/.test(key)) ? key : `@${key}`));
}

function isUrl(key: string): boolean {
  return /^[a-z]+:\/\//i.test(key);
}
