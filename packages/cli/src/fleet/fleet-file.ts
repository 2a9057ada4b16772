import type { MemberFacts, ScannerFacts, ScannerPorts } from '@azimuth/fleet';
import { usualScene } from '@azimuth/simulation/usual-core';
import { readyScene } from '@azimuth/simulation/world';
import { isMap, type Scalar } from 'yaml';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { keyText, YamlFile } from '../yaml/yaml-file.js';
import { GroupReader, type NamedFile } from './fleet-group.js';
import { GroupScanners } from './group-scanners.js';
import { isRealGroup, realScannersIn } from './real-group.js';
import type { FleetPlace } from './used-addresses.js';

/** A parsed fleet file. */
interface FleetFile {
  readonly scanners: readonly MemberFacts[];
  readonly yaml: YamlFile;
  /** The files that it names, by the texts that name them. */
  readonly files: ReadonlyMap<Scalar, NamedFile>;
}

/** Returns the scanners of a fleet file. @throws as `readFleetFile` */
export async function scannersOfFile(path: string, fleetPlace?: FleetPlace): Promise<readonly MemberFacts[]> {
  return (await readFleetFile(path, fleetPlace)).scanners;
}

/**
 * @param fleetPlace the address of the fleet itself, if it is known
 * @throws CommandFailure if it cannot be read, FileMistakes with all mistakes in it and their places
 */
export async function readFleetFile(path: string, fleetPlace?: FleetPlace): Promise<FleetFile> {
  const yaml = new YamlFile(path, await readTextFile(path, { limit: maxFileBytes.fleet }));
  yaml.throwMistakes();
  const reader = new GroupReader(yaml, path);
  return {
    scanners: await scannersIn(yaml, reader, new GroupScanners(yaml, fleetPlace)),
    yaml,
    files: reader.files,
  };
}

/** Returns scanners with default facts. */
export function plainScanners(
  count: number,
  first: number,
  ports: (index: number) => ScannerPorts | undefined,
) {
  const scene = readyScene(usualScene);
  const parameters = {};
  return Array.from({ length: count }, (_, index): ScannerFacts => {
    const own = ports(index);
    return {
      serial: String(first + index),
      group: 'fleet',
      variant: 'full',
      scene,
      seed: index,
      parameters,
      ports: own,
    };
  });
}

/** @throws FileMistakes */
async function scannersIn(
  file: YamlFile,
  reader: GroupReader,
  known: GroupScanners,
): Promise<readonly MemberFacts[]> {
  const root = file.resolved(file.document.contents);
  const groups = isMap(root) ? file.resolved(root.get('groups', true)) : undefined;
  if (!isMap(root) || !isMap(groups) || groups.items.length === 0) {
    file.report(root, 'expected groups, each with a count: groups: {hall: {count: 20}}');
    file.throwMistakes();
    return [];
  }
  for (const { key } of root.items) {
    if (keyText(key) !== 'groups')
      file.report(key, `there is no member "${keyText(key)}"; did you mean groups?`);
  }
  const scanners: MemberFacts[] = [];
  for (const { key, value } of groups.items) {
    const node = file.resolved(value);
    if (isRealGroup(node)) {
      const { path, files } = reader;
      const real = await realScannersIn({ file, path, files }, node, keyText(key));
      scanners.push(...known.addReal(real, key));
      continue;
    }
    const group = await reader.read(key, value, known.size);
    if (group !== undefined) scanners.push(...known.addGroup(group, key));
  }
  file.throwMistakes();
  return scanners;
}
