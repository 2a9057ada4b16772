import { completed } from '@azimuth/client';
import {
  builtInInterface,
  type KnownInterface,
  type NamedVariable,
  sameJson,
  type Variable,
} from '@azimuth/model';
import { isMap, isScalar, type Node, Scalar, YAMLMap } from 'yaml';
import { YamlFile } from '../yaml/yaml-file.js';
import { documentText, NodeWriter } from '../yaml/yaml-node.js';
import { SiteFile } from './site-file.js';
import { isOfUnit, SiteNames } from './site-names.js';
import { keyName, type SiteValues } from './site-values.js';

/** A scanner to be written into a file. */
export interface ExportedScanner {
  /** Its name in the devices file, or its URL. */
  readonly key: string;
  readonly serial: string | undefined;
  readonly release: string | undefined;
  /** All its parameters, by their names. */
  readonly values: SiteValues;
  /** The parameters that the file is to have; all by default. */
  readonly changed?: ReadonlySet<string> | undefined;
}

interface ExportOptions {
  /** True if parameters that are not in the file are left out; false by default. */
  readonly listed?: boolean;
  /** What is known of the names of the scanners; the model by default. */
  readonly known?: KnownInterface;
}

const header = ` The parameters of scanners, as azimuth export has read them. azimuth apply writes what differs, and saves it.
 Parameters at the left margin are for all scanners; a scanner's own win. Delete what the file is not to decide.`;

/**
 * Returns the text of a site file with the values of scanners. An existing text keeps its comments, its order, and its
 * entries of other scanners.
 * @param text the existing file; undefined for a new one
 * @throws FileMistakes if the existing text is not a site file
 */
export function exportedText(
  path: string,
  text: string | undefined,
  scanners: readonly ExportedScanner[],
  { listed = false, known = builtInInterface }: ExportOptions = {},
): string {
  const names = new SiteNames(known);
  if (text === undefined) return newText(path, scanners, names);
  const site = new SiteFile(path, text, known);
  const { file } = site;
  const { contents } = file.document;
  if (!isMap(contents)) return newText(path, scanners, names);
  const sections = sharedSections(site, contents, scanners);
  for (const scanner of scanners) {
    const entry = childMap(file, childMap(file, contents, 'scanners'), scanner.key);
    const onlyListed = listed && site.scanners.has(scanner.key);
    setFacts(entry, scanner);
    const before = site.valuesBefore(scanner.key);
    const ofScanner = sections.filter(({ means }) => means(scanner.key));
    for (const parameter of names.parameters) {
      const { variable } = parameter;
      const json = scanner.values.get(variable.name);
      if (json === undefined) continue;
      const place = valuePlace({ file, names, entry, before, sections: ofScanner }, variable, json);
      const writer = new NodeWriter(file, variable, onlyListed);
      const isWanted = place.overrides || (!onlyListed && isToWrite(scanner, variable));
      if (place.pair !== undefined) place.pair.value = writer.updated(place.pair.value, json);
      else if (!place.same && isWanted) {
        add(childMap(file, entry, place.section), parameter, writer.node(json));
      }
    }
  }
  return documentText(file.document, text);
}

function isToWrite({ changed }: ExportedScanner, { name }: Variable<unknown>): boolean {
  return changed === undefined || changed.has(name);
}

/** A section of a file whose values several scanners have: all of them, or a group. */
interface SharedSection {
  readonly map: YAMLMap;
  readonly means: (key: string) => boolean;
  /** The values that all its scanners have now. Empty if not all of them were read. */
  readonly agreed: SiteValues;
}

/** Returns the sections with values of several scanners, those that win last. */
function sharedSections(
  site: SiteFile,
  contents: YAMLMap,
  scanners: readonly ExportedScanner[],
): readonly SharedSection[] {
  const { file } = site;
  const groups = mapAt(file, contents, 'groups');
  const all = { map: mapAt(file, contents, 'parameters'), means: () => true };
  const ofGroups = site.groups.map(({ pattern, means }) => {
    const group = groups === undefined ? undefined : mapAt(file, groups, pattern);
    return { map: group === undefined ? undefined : mapAt(file, group, 'parameters'), means };
  });
  const read = new Set(scanners.map(({ key }) => key));
  return [all, ...ofGroups].flatMap(({ map, means }): SharedSection[] => {
    if (map === undefined) return [];
    const isRead = [...site.scanners.keys()].every((key) => !means(key) || read.has(key));
    const meant = scanners.filter(({ key }) => means(key));
    return [{ map, means, agreed: isRead ? agreedBy(meant, 1) : new Map() }];
  });
}

interface Sections {
  readonly file: YamlFile;
  readonly names: SiteNames;
  readonly entry: YAMLMap;
  /** The values that the scanner has without its own ones. */
  readonly before: SiteValues;
  /** Those that have values for the scanner, the one that wins last. */
  readonly sections: readonly SharedSection[];
}

/** Finds the place of a parameter in the file. */
function valuePlace(
  { file, names, entry, before, sections }: Sections,
  variable: Variable<unknown>,
  json: unknown,
) {
  const section = isOfUnit(variable) ? 'unit' : 'parameters';
  const own = mapAt(file, entry, section);
  const pair = own === undefined ? undefined : parameterPair(own, variable, names);
  if (pair !== undefined) return { pair, section, same: false, overrides: false };
  const deciding = sections.findLast(({ map }) => parameterPair(map, variable, names) !== undefined);
  if (deciding === undefined) return { section, same: false, overrides: false };
  const same = sameJson(completed(variable.type.shape, before.get(variable.name), json), json);
  // A value of several scanners is changed only if all of them have the new value.
  return same || !deciding.agreed.has(variable.name)
    ? { section, same, overrides: true }
    : { pair: parameterPair(deciding.map, variable, names), section, same, overrides: false };
}

function newText(path: string, scanners: readonly ExportedScanner[], names: SiteNames): string {
  const file = new YamlFile(path, '');
  const { document } = file;
  const top = new YAMLMap();
  document.contents = top;
  document.commentBefore = header;
  const isUnit = (name: string) => isNameOfUnit(names, name);
  const shared = sharedBy(scanners, isUnit);
  if (shared.size > 0) addAll(file, childMap(file, top, 'parameters'), shared, names);
  for (const scanner of scanners) {
    const entry = childMap(file, childMap(file, top, 'scanners'), scanner.key);
    setFacts(entry, scanner);
    const { changed } = scanner;
    const values = [...scanner.values].filter(
      ([name]) => !shared.has(name) && (changed === undefined || changed.has(name)),
    );
    const unit = values.filter(([name]) => isUnit(name));
    if (unit.length > 0) addAll(file, childMap(file, entry, 'unit'), new Map(unit), names);
    const others = values.filter(([name]) => !isUnit(name));
    if (others.length > 0) addAll(file, childMap(file, entry, 'parameters'), new Map(others), names);
  }
  return documentText(document);
}

/** Returns the values that several scanners share, without those that belong to one of them. */
function sharedBy(scanners: readonly ExportedScanner[], isUnit: (name: string) => boolean): SiteValues {
  const isWanted = (name: string) =>
    scanners.some(({ changed }) => changed === undefined || changed.has(name));
  return new Map([...agreedBy(scanners, 2)].filter(([name]) => !isUnit(name) && isWanted(name)));
}

/**
 * Returns the values that scanners have alike. Scanners of other releases may lack a parameter.
 * @param least number of scanners that have to have the parameter
 */
function agreedBy(scanners: readonly ExportedScanner[], least: number): SiteValues {
  const found = new Map<string, { readonly json: unknown; readonly count: number; readonly same: boolean }>();
  for (const [name, json] of scanners.flatMap(({ values }) => [...values])) {
    const before = found.get(name);
    const same = before === undefined || (before.same && sameJson(before.json, json));
    found.set(name, { json, count: (before?.count ?? 0) + 1, same });
  }
  const agreed = [...found].filter(([, { count, same }]) => same && count >= least);
  return new Map(agreed.map(([name, { json }]) => [name, json]));
}

function addAll(file: YamlFile, map: YAMLMap, values: SiteValues, { parameters }: SiteNames): void {
  let group = '';
  for (const parameter of parameters) {
    const { variable } = parameter;
    if (!values.has(variable.name)) continue;
    const key = add(map, parameter, new NodeWriter(file, variable).node(values.get(variable.name)));
    if (variable.group !== group && map.items.length > 1) key.spaceBefore = true;
    if (variable.group !== group) key.commentBefore = ` ${variable.group}`;
    group = variable.group;
  }
}

function add(map: YAMLMap, { name }: NamedVariable, node: Node): Scalar {
  const key = new Scalar(name);
  map.set(key, node);
  return key;
}

function setFacts(entry: YAMLMap, { serial, release }: ExportedScanner): void {
  for (const [name, value] of [
    ['serial', serial],
    ['release', release],
  ] as const) {
    if (value === undefined) continue;
    const before: unknown = entry.get(name, true);
    if (!isScalar(before)) entry.set(name, value);
    else if (keyName(before) !== value) before.value = value;
  }
}

/** Returns the map of a key; creates it if it is missing. */
function childMap(file: YamlFile, map: YAMLMap, key: string): YAMLMap {
  const found = mapAt(file, map, key);
  if (found !== undefined) return found;
  const made = new YAMLMap();
  map.set(key, made);
  return made;
}

function mapAt(file: YamlFile, map: YAMLMap, key: string): YAMLMap | undefined {
  const pair = map.items.find((item) => keyName(item.key) === key);
  const value = file.resolved(pair?.value);
  return isMap(value) ? value : undefined;
}

function parameterPair(map: YAMLMap, variable: Variable<unknown>, names: SiteNames) {
  return map.items.find(({ key }) => names.parameter(keyName(key)) === variable);
}

function isNameOfUnit(names: SiteNames, name: string): boolean {
  const variable = names.parameter(name);
  return variable !== undefined && isOfUnit(variable);
}
