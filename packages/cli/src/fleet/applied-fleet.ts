import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { ScannerFacts } from '@azimuth/fleet';
import type { DesiredFleet } from '@azimuth/fleet/database';
import { largestScene } from '@azimuth/simulation/world';
import { CommandFailure } from '../command-failure.js';
import { bytesOfFile } from '../input/bounded-file.js';
import { readFleetFile, scannersOfFile } from './fleet-file.js';
import type { FleetPlace } from './used-addresses.js';

/** A fleet file with all files that it names, in the form for the database, and its scanners. */
interface PackedFleet extends DesiredFleet {
  readonly scanners: readonly ScannerFacts[];
}

/**
 * Checks a fleet file, and packs the files that it names. Their names in the database are made from their content.
 * @param fleetPlace the address of the fleet itself, if it is known
 * @throws CommandFailure, FileMistakes
 */
export async function packedFleet(path: string, fleetPlace?: FleetPlace): Promise<PackedFleet> {
  const { scanners, yaml, files: named } = await readFleetFile(path, fleetPlace);
  const mounted = scanners.find(({ mount }) => mount !== undefined);
  if (mounted !== undefined)
    throw new CommandFailure(
      `${path}: the group ${mounted.group} has a world, whose scanners run in one process: use azimuth fleet run without --processes, and no database`,
    );
  const files = new Map<string, Uint8Array>();
  for (const [text, file] of named) {
    const { path: from, scene } = file;
    const content =
      scene === undefined
        ? await bytesOfFile(from, { limit: largestScene })
        : Buffer.from(JSON.stringify(scene));
    const ending = scene === undefined ? extname(from) : '.json';
    const name = createHash('sha256').update(content).digest('hex').slice(0, 16) + ending;
    files.set(name, content);
    text.value = `./${name}`;
  }
  return { yaml: yaml.document.toString(), files, scanners };
}

/** Returns the scanners of an applied fleet. */
export async function scannersOfApplied({ yaml, files }: DesiredFleet): Promise<readonly ScannerFacts[]> {
  const folder = await mkdtemp(join(tmpdir(), 'azimuth-fleet-'));
  try {
    return await scannersOfFile(await unpackFleet({ yaml, files }, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a fleet file, and the files that it names, into a folder, for its owner only. @returns the path of the fleet
 * file
 */
export async function unpackFleet({ yaml, files }: DesiredFleet, folder: string): Promise<string> {
  const path = join(folder, 'fleet.yaml');
  for (const [name, content] of [...files, ['fleet.yaml', yaml] as const])
    await writeFile(join(folder, name), content, { mode: 0o600 });
  return path;
}
