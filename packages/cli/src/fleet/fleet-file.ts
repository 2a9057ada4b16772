import type { ScannerFacts, ScannerPorts } from '@azimuth/fleet';
import { usualScene } from '@azimuth/simulation';
import { readyScene } from '@azimuth/simulation/scene';
import { isMap, type Scalar } from 'yaml';
import { longestFile, textOfFile } from '../input/bounded-file.js';
import { wordOf, YamlFile } from '../yaml/yaml-file.js';
import { GroupReader } from './fleet-group.js';
import { GroupScanners } from './group-scanners.js';
import type { FleetPlace } from './taken-places.js';

/** A fleet file that has been read. */
interface FleetFile {
  readonly scanners: readonly ScannerFacts[];
  readonly yaml: YamlFile;
  /** The files that it names, by the texts that name them. */
  readonly files: ReadonlyMap<Scalar, string>;
}

/** The scanners of a fleet file. @throws as `readFleetFile` */
export async function scannersOfFile(
  path: string,
  fleetPlace?: FleetPlace,
): Promise<readonly ScannerFacts[]> {
  return (await readFleetFile(path, fleetPlace)).scanners;
}

/**
 * @param fleetPlace where the fleet itself will listen, if that is known
 * @throws CommandFailure if it cannot be read, FileMistakes with all mistakes in it and their places
 */
export async function readFleetFile(path: string, fleetPlace?: FleetPlace): Promise<FleetFile> {
  const yaml = new YamlFile(path, await textOfFile(path, { limit: longestFile.fleet }));
  yaml.throwMistakes();
  const reader = new GroupReader(yaml, path);
  return {
    scanners: await scannersIn(yaml, reader, new GroupScanners(yaml, fleetPlace)),
    yaml,
    files: reader.files,
  };
}

/** Scanners for which no file says anything else. */
export function plainScanners(
  count: number,
  first: number,
  ports: (index: number) => ScannerPorts | undefined,
) {
  const scene = readyScene(usualScene);
  return Array.from({ length: count }, (_, index): ScannerFacts => {
    const own = ports(index);
    return {
      serial: String(first + index),
      group: 'fleet',
      variant: 'full',
      scene,
      seed: index,
      parameters: {},
      ports: own,
    };
  });
}

/** @throws FileMistakes */
async function scannersIn(
  file: YamlFile,
  reader: GroupReader,
  known: GroupScanners,
): Promise<readonly ScannerFacts[]> {
  const root = file.resolved(file.document.contents);
  const groups = isMap(root) ? file.resolved(root.get('groups', true)) : undefined;
  if (!isMap(root) || !isMap(groups) || groups.items.length === 0) {
    file.report(root, 'expected groups, each with a count: groups: {hall: {count: 20}}');
    file.throwMistakes();
    return [];
  }
  for (const { key } of root.items) {
    if (wordOf(key) !== 'groups')
      file.report(key, `there is no member "${wordOf(key)}"; did you mean groups?`);
  }
  const scanners: ScannerFacts[] = [];
  for (const { key, value } of groups.items) {
    const group = await reader.read(key, value, known.size);
    if (group !== undefined) scanners.push(...known.scannersOf(group, key));
  }
  file.throwMistakes();
  return scanners;
}
