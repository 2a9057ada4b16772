import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { UnitFacts } from '@azimuth/fleet';
import type { DesiredFleet } from '@azimuth/fleet/database';
import { unreadable } from '../command-failure.js';
import { readFleetFile, unitsOfFile } from './fleet-file.js';

/** A fleet file with all that it names, as it goes into the database, and its scanners. */
export interface PackedFleet extends DesiredFleet {
  readonly units: readonly UnitFacts[];
}

/**
 * Checks a fleet file, and takes the files along that it names. There they have names by their content.
 * @throws CommandFailure, FileMistakes
 */
export async function packedFleet(path: string): Promise<PackedFleet> {
  const { units, yaml, files: named } = await readFleetFile(path);
  const files = new Map<string, Uint8Array>();
  for (const [text, file] of named) {
    const content = await readFile(file).catch(unreadable(file));
    const name = createHash('sha256').update(content).digest('hex').slice(0, 16) + extname(file);
    files.set(name, content);
    text.value = `./${name}`;
  }
  return { yaml: yaml.document.toString(), files, units };
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
