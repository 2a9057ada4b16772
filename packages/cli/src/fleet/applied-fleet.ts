import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { ScannerFacts } from '@azimuth/fleet';
import type { DesiredFleet } from '@azimuth/fleet/database';
import { largestScene } from '@azimuth/simulation/scene';
import { bytesOfFile } from '../input/bounded-file.js';
import { readFleetFile, scannersOfFile } from './fleet-file.js';
import type { FleetPlace } from './taken-places.js';

/** A fleet file with all that it names, as it goes into the database, and its scanners. */
interface PackedFleet extends DesiredFleet {
  readonly scanners: readonly ScannerFacts[];
}

/**
 * Checks a fleet file, and takes the files along that it names. There they have names by their content.
 * @param fleetPlace where the fleet itself will listen, if that is known
 * @throws CommandFailure, FileMistakes
 */
export async function packedFleet(path: string, fleetPlace?: FleetPlace): Promise<PackedFleet> {
  const { scanners, yaml, files: named } = await readFleetFile(path, fleetPlace);
  const files = new Map<string, Uint8Array>();
  for (const [text, file] of named) {
    const content = await bytesOfFile(file, { limit: largestScene });
    const name = createHash('sha256').update(content).digest('hex').slice(0, 16) + extname(file);
    files.set(name, content);
    text.value = `./${name}`;
  }
  return { yaml: yaml.document.toString(), files, scanners };
}

/** The scanners of a fleet that was applied. */
export async function scannersOfApplied({ yaml, files }: DesiredFleet): Promise<readonly ScannerFacts[]> {
  const folder = await mkdtemp(join(tmpdir(), 'azimuth-fleet-'));
  try {
    return await scannersOfFile(await unpackFleet({ yaml, files }, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a fleet file, and the files that it names, into a folder, for its owner only. @returns the path of the fleet file */
export async function unpackFleet({ yaml, files }: DesiredFleet, folder: string): Promise<string> {
  const path = join(folder, 'fleet.yaml');
  for (const [name, content] of [...files, ['fleet.yaml', yaml] as const])
    await writeFile(join(folder, name), content, { mode: 0o600 });
  return path;
}
