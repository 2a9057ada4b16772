import { allParameters, sameJson, type Variable } from '@azimuth/model';
import { isMap, isScalar, type Node, Scalar, YAMLMap } from 'yaml';
import { YamlFile } from '../yaml/yaml-file.js';
import { documentText, NodeWriter } from '../yaml/yaml-node.js';
import { isOfUnit, keyName, parameterNamed, SiteFile, type SiteValues, siteName } from './site-file.js';

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
  /** True if parameters that are not in the file are left out. */
  readonly listed: boolean;
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
  { listed }: ExportOptions = { listed: false },
): string {
  if (text === undefined) return newText(path, scanners);
  const site = new SiteFile(path, text);
  const { file } = site;
  const { contents } = file.document;
  if (!isMap(contents)) return newText(path, scanners);
  const shared = mapAt(file, contents, 'parameters');
  const agreed = agreedBy(site, scanners);
  for (const scanner of scanners) {
    const entry = childMap(file, childMap(file, contents, 'scanners'), scanner.key);
    const onlyListed = listed && site.scanners.has(scanner.key);
    setFacts(entry, scanner);
    for (const variable of allParameters) {
      const json = scanner.values.get(variable.name);
      if (json === undefined) continue;
      const isAgreed = agreed.has(variable.name);
      const place = valuePlace({ file, entry, shared, isAgreed }, variable, json);
      const writer = new NodeWriter(file, variable, onlyListed);
      if (place.pair !== undefined) place.pair.value = writer.updated(place.pair.value, json);
      else if (!place.same && (!onlyListed || place.overrides)) {
        add(childMap(file, entry, place.section), variable, writer.node(json));
      }
    }
  }
  return documentText(file.document, text);
}

interface Sections {
  readonly file: YamlFile;
  readonly entry: YAMLMap;
  readonly shared: YAMLMap | undefined;
  /** True if all scanners of the file have this value. */
  readonly isAgreed: boolean;
}

/** Finds the place of a parameter in the file. */
function valuePlace({ file, entry, shared, isAgreed }: Sections, variable: Variable<unknown>, json: unknown) {
  const section = isOfUnit(variable) ? 'unit' : 'parameters';
  const own = mapAt(file, entry, section);
  const pair = own === undefined ? undefined : parameterPair(own, variable);
  if (pair !== undefined) return { pair, section, same: false, overrides: false };
  const common = shared === undefined ? undefined : parameterPair(shared, variable);
  if (common === undefined) return { section, same: false, overrides: false };
  const same = new NodeWriter(file, variable).means(common.value, json);
  // A value for all scanners is changed only if all of them have the new value.
  return same || !isAgreed
    ? { section, same, overrides: true }
    : { pair: common, section, same, overrides: false };
}

function newText(path: string, scanners: readonly ExportedScanner[]): string {
  const file = new YamlFile(path, '');
  const { document } = file;
  const top = new YAMLMap();
  document.contents = top;
  document.commentBefore = header;
  const shared = sharedBy(scanners);
  if (shared.size > 0) addAll(file, childMap(file, top, 'parameters'), shared);
  for (const scanner of scanners) {
    const entry = childMap(file, childMap(file, top, 'scanners'), scanner.key);
    setFacts(entry, scanner);
    const values = [...scanner.values].filter(([name]) => !shared.has(name));
    const unit = values.filter(([name]) => isUnit(name));
    if (unit.length > 0) addAll(file, childMap(file, entry, 'unit'), new Map(unit));
    const others = values.filter(([name]) => !isUnit(name));
    if (others.length > 0) addAll(file, childMap(file, entry, 'parameters'), new Map(others));
  }
  return documentText(document);
}

/** Returns the values that several scanners share, without those that belong to one of them. */
function sharedBy(scanners: readonly ExportedScanner[]): SiteValues {
  const [first, ...others] = scanners;
  if (first === undefined || others.length === 0) return new Map();
  return new Map(
    [...first.values].filter(
      ([name, json]) =>
        !isUnit(name) && others.every(({ values }) => values.has(name) && sameJson(values.get(name), json)),
    ),
  );
}

/** Returns the values that all scanners of a file share, if all of them were read now. */
function agreedBy(site: SiteFile, scanners: readonly ExportedScanner[]): SiteValues {
  const read = new Set(scanners.map(({ key }) => key));
  if ([...site.scanners.keys()].some((key) => !read.has(key))) return new Map();
  const [only, ...others] = scanners;
  return only !== undefined && others.length === 0 ? only.values : sharedBy(scanners);
}

function addAll(file: YamlFile, map: YAMLMap, values: SiteValues): void {
  let group = '';
  for (const variable of allParameters) {
    if (!values.has(variable.name)) continue;
    const key = add(map, variable, new NodeWriter(file, variable).node(values.get(variable.name)));
    if (variable.group !== group && map.items.length > 1) key.spaceBefore = true;
    if (variable.group !== group) key.commentBefore = ` ${variable.group}`;
    group = variable.group;
  }
}

function add(map: YAMLMap, variable: Variable<unknown>, node: Node): Scalar {
  const key = new Scalar(siteName(variable));
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

function parameterPair(map: YAMLMap, variable: Variable<unknown>) {
  return map.items.find(({ key }) => parameterNamed(keyName(key)) === variable);
}

function isUnit(name: string): boolean {
  const variable = parameterNamed(name);
  return variable !== undefined && isOfUnit(variable);
}
