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
import { keyName, SiteFile, type SiteValues } from './site-file.js';
import { isOfUnit, SiteNames } from './site-names.js';

/** A scanner to be written into a file. */
export interface ExportedScanner {
  /** Its name in the devices file, or its URL. */
  readonly key: string;
  readonly serial: string | undefined;
  readonly release: string | undefined;
  /** All its parameters, by their names. */
  readonly values: SiteValues;
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
  const shared = mapAt(file, contents, 'parameters');
  const agreed = agreedBy(site, scanners);
  for (const scanner of scanners) {
    const entry = childMap(file, childMap(file, contents, 'scanners'), scanner.key);
    const onlyListed = listed && site.scanners.has(scanner.key);
    setFacts(entry, scanner);
    for (const parameter of names.parameters) {
      const { variable } = parameter;
      const json = scanner.values.get(variable.name);
      if (json === undefined) continue;
      const isAgreed = agreed.has(variable.name);
      const place = valuePlace({ file, names, entry, shared, isAgreed }, variable, json);
      const writer = new NodeWriter(file, variable, onlyListed);
      if (place.pair !== undefined) place.pair.value = writer.updated(place.pair.value, json);
      else if (!place.same && (!onlyListed || place.overrides)) {
        add(childMap(file, entry, place.section), parameter, writer.node(json));
      }
    }
  }
  return documentText(file.document, text);
}

interface Sections {
  readonly file: YamlFile;
  readonly names: SiteNames;
  readonly entry: YAMLMap;
  readonly shared: YAMLMap | undefined;
  /** True if all scanners of the file have this value. */
  readonly isAgreed: boolean;
}

/** Finds the place of a parameter in the file. */
function valuePlace(
  { file, names, entry, shared, isAgreed }: Sections,
  variable: Variable<unknown>,
  json: unknown,
) {
  const section = isOfUnit(variable) ? 'unit' : 'parameters';
  const own = mapAt(file, entry, section);
  const pair = own === undefined ? undefined : parameterPair(own, variable, names);
  if (pair !== undefined) return { pair, section, same: false, overrides: false };
  const common = shared === undefined ? undefined : parameterPair(shared, variable, names);
  if (common === undefined) return { section, same: false, overrides: false };
  const same = new NodeWriter(file, variable).means(common.value, json);
  // A value for all scanners is changed only if all of them have the new value.
  return same || !isAgreed
    ? { section, same, overrides: true }
    : { pair: common, section, same, overrides: false };
}

function newText(path: string, scanners: readonly ExportedScanner[], names: SiteNames): string {
  const file = new YamlFile(path, '');
  const { document } = file;
  const top = new YAMLMap();
  document.contents = top;
  document.commentBefore = header;
  const isUnit = (name: string) => isNameOfUnit(names, name);
  const shared = sharedBy(scanners, names);
  if (shared.size > 0) addAll(file, childMap(file, top, 'parameters'), shared, names);
  for (const scanner of scanners) {
    const entry = childMap(file, childMap(file, top, 'scanners'), scanner.key);
    setFacts(entry, scanner);
    const values = [...scanner.values].filter(([name]) => !shared.has(name));
    const unit = values.filter(([name]) => isUnit(name));
    if (unit.length > 0) addAll(file, childMap(file, entry, 'unit'), new Map(unit), names);
    const others = values.filter(([name]) => !isUnit(name));
    if (others.length > 0) addAll(file, childMap(file, entry, 'parameters'), new Map(others), names);
  }
  return documentText(document);
}

/** Returns the values that several scanners share, without those that belong to one of them. */
function sharedBy(scanners: readonly ExportedScanner[], names: SiteNames): SiteValues {
  const [first, ...others] = scanners;
  if (first === undefined || others.length === 0) return new Map();
  return new Map(
    [...first.values].filter(
      ([name, json]) =>
        !isNameOfUnit(names, name) &&
        others.every(({ values }) => values.has(name) && sameJson(values.get(name), json)),
    ),
  );
}

/** Returns the values that all scanners of a file share, if all of them were read now. */
function agreedBy(site: SiteFile, scanners: readonly ExportedScanner[]): SiteValues {
  const read = new Set(scanners.map(({ key }) => key));
  if ([...site.scanners.keys()].some((key) => !read.has(key))) return new Map();
  const [only, ...others] = scanners;
  return only !== undefined && others.length === 0 ? only.values : sharedBy(scanners, site.names);
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
