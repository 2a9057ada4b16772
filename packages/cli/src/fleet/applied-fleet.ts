import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { UnitFacts } from '@azimuth/fleet';
import type { DesiredFleet } from '@azimuth/fleet/database';
import { isMap, isScalar } from 'yaml';
import { unreadable } from '../command-failure.js';
import { YamlFile } from '../site/yaml-file.js';
import { unitsOfFile } from './fleet-file.js';

/** A fleet file with all that it names, as it goes into the database, and its scanners. */
export interface PackedFleet extends DesiredFleet {
  readonly units: readonly UnitFacts[];
}

/** Members of a group that name a file. */
const referring = ['scene', 'faults'];

/**
 * Checks a fleet file, and takes the files along that it names. There they have names by their content.
 * @throws CommandFailure, FileMistakes
 */
export async function packedFleet(path: string): Promise<PackedFleet> {
  const units = await unitsOfFile(path);
  const file = new YamlFile(path, await readFile(path, 'utf8').catch(unreadable(path)));
  const files = new Map<string, Uint8Array>();
  const groups = file.document.get('groups');
  for (const { value } of isMap(groups) ? groups.items : []) {
    for (const member of isMap(value) ? referring : []) {
      const node = isMap(value) ? value.get(member, true) : undefined;
      const named = isScalar(node) ? String(node.value) : '';
      // Ready scenes have names without a folder and an extension.
      if (!isScalar(node) || !/[/\\.]/.test(named)) continue;
      const content = await readFile(resolve(dirname(path), named)).catch(unreadable(named));
      const extension = /\.\w+$/.exec(named)?.[0] ?? '';
      const name = createHash('sha256').update(content).digest('hex').slice(0, 16) + extension;
      files.set(name, content);
      node.value = `./${name}`;
    }
  }
  return { yaml: file.document.toString(), files, units };
}

/** The scanners of a fleet that was applied. */
export async function unitsOfApplied({ yaml, files }: DesiredFleet): Promise<readonly UnitFacts[]> {
  const folder = await mkdtemp(join(tmpdir(), 'azimuth-fleet-'));
  try {
    const path = join(folder, 'fleet.yaml');
    await writeFile(path, yaml);
    for (const [name, content] of files) await writeFile(join(folder, name), content);
    return await unitsOfFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
