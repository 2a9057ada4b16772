import { completed } from '@azimuth/client';
import { builtInInterface, type KnownInterface } from '@azimuth/model';
import { isMap } from 'yaml';
import { z } from 'zod';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { namesMeantBy } from '../scanners/name-patterns.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { members, text, validMembers } from '../yaml/yaml-form.js';
import { SiteNames } from './site-names.js';
import {
  isEmpty,
  keyName,
  memberPairs,
  type NamedFile,
  noMember,
  type SiteValues,
  valuesIn,
} from './site-values.js';

/** Values of one scanner in a file. */
export interface SiteScanner {
  /** Its name in the devices file, or its URL. */
  readonly key: string;
  /** The required serial number; undefined for any. */
  readonly serial: string | undefined;
  /** The release that it had when it was exported; undefined if the file does not say. */
  readonly release: string | undefined;
  readonly values: SiteValues;
}

/** Values for the scanners whose names match a pattern. */
export interface SiteGroup {
  /** As in the file: `hall/*`. */
  readonly pattern: string;
  /** True for the name of a scanner that it means. */
  readonly means: (key: string) => boolean;
  readonly values: SiteValues;
}

/** Sections whose members are parameters. */
const byNames = z.unknown();

/** The form of a site file, without the parameters. */
const siteForm = members('expected parameters, groups and scanners', {
  parameters: byNames.optional(),
  groups: byNames.optional(),
  scanners: byNames.optional(),
});

const groupForm = members('expected parameters', { parameters: byNames.optional() });

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
  /** In the order of the file: a later one wins. */
  readonly groups: readonly SiteGroup[];
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
    const place = { file, names };
    this.shared = valuesIn(place, top.parameters, 'shared');
    const scanners = memberPairs(file, top.scanners, 'scanners by their names or URLs');
    const keys = scanners.map(([key]) => key);
    this.groups = memberPairs(file, top.groups, 'groups by their names, such as hall/*').map(
      ([pattern, key, entry]) => siteGroup(place, keys, { pattern, key, entry }),
    );
    this.scanners = new Map(
      scanners.map(([key, , entry]) => [key, siteScanner(place, key, entry, this.valuesBefore(key))]),
    );
    if (isMap(contents) && Object.keys(siteForm.shape).every((section) => !contents.has(section))) {
      file.report(contents, 'expected parameters, groups or scanners');
    }
    file.throwMistakes();
  }

  /** Returns the values for a scanner with one of these names; undefined if the file has none. */
  scannerNamed(...keys: readonly string[]): SiteScanner | undefined {
    const key = keys.find((each) => this.scanners.has(each));
    const found = key === undefined ? undefined : this.scanners.get(key);
    if (found !== undefined) return found;
    const [name = ''] = keys;
    const values = this.valuesBefore(name);
    return values.size === 0 ? undefined : { key: name, serial: undefined, release: undefined, values };
  }

  /** Returns the values of a scanner without its own ones: those for all, and over them those of its groups. */
  valuesBefore(key: string): SiteValues {
    const ofGroups = this.groups.filter(({ means }) => means(key));
    return ofGroups.reduce((values, group) => withValues(this.names, values, group.values), this.shared);
  }
}

function siteGroup(
  place: NamedFile,
  keys: readonly string[],
  { pattern, key, entry }: { readonly pattern: string; readonly key: unknown; readonly entry: unknown },
): SiteGroup {
  const { file, names } = place;
  const unknown = noMember(names, `of the group ${pattern}`);
  const means = namesMeantBy(pattern);
  if (keys.length > 0 && !keys.some(means)) {
    file.report(key, `no scanner of this file is in ${pattern}`);
  }
  const found = isEmpty(file.resolved(entry)) ? {} : validMembers(file, groupForm, entry, { unknown });
  return { pattern, means, values: valuesIn(place, found.parameters, 'shared') };
}

function siteScanner(place: NamedFile, key: string, entry: unknown, before: SiteValues): SiteScanner {
  const { file, names } = place;
  const unknown = noMember(names, `of scanner ${key}`, 'unit or ');
  const found = isEmpty(file.resolved(entry)) ? {} : validMembers(file, scannerForm, entry, { unknown });
  const own = [...valuesIn(place, found.parameters, 'parameters'), ...valuesIn(place, found.unit, 'unit')];
  return {
    ...{ key, serial: found.serial ?? undefined, release: found.release ?? undefined },
    values: withValues(names, before, own),
  };
}

/** Returns values with others over them. Members of structs that the others leave out stay. */
function withValues(
  names: SiteNames,
  before: SiteValues,
  over: Iterable<readonly [name: string, value: unknown]>,
): SiteValues {
  const values = new Map(before);
  for (const [name, value] of over) {
    const shape = names.parameter(name)?.type.shape;
    values.set(name, shape === undefined ? value : completed(shape, value, before.get(name)));
  }
  return values;
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
