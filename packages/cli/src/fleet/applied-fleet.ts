import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type MemberFacts, virtualOf } from '@azimuth/fleet';
import type { DesiredFleet } from '@azimuth/fleet/database';
import { largestScene } from '@azimuth/simulation/world';
import { CommandFailure } from '../command-failure.js';
import { bytesOfFile } from '../input/bounded-file.js';
import { readFleetFile, scannersOfFile } from './fleet-file.js';
import type { FleetPlace } from './used-addresses.js';

interface PackOptions {
  /** The address of the fleet itself, if it is known. */
  readonly fleetPlace?: FleetPlace | undefined;
  /** Seals the secret of a group. Without it, the fleet stays on this computer, in files for its owner only. */
  readonly seal?: ((group: string, content: string) => string) | undefined;
}

/** A fleet file with all files that it names, in the form for the database, and its scanners. */
interface PackedFleet extends DesiredFleet {
  readonly scanners: readonly MemberFacts[];
}

/**
 * Checks a fleet file, and packs the files that it names. Their names in the database are made from their content.
 * @throws CommandFailure, FileMistakes, and the errors of `seal`
 */
export async function packedFleet(
  path: string,
  { fleetPlace, seal }: PackOptions = {},
): Promise<PackedFleet> {
  const { scanners, yaml, files: named } = await readFleetFile(path, fleetPlace);
  const mounted = virtualOf(scanners).find(({ mount }) => mount !== undefined);
  if (mounted !== undefined)
    throw new CommandFailure(
      `${path}: the group ${mounted.group} has a world, whose scanners run in one process: use azimuth fleet run without --processes, and no database`,
    );
  const files = new Map<string, Uint8Array>();
  for (const [text, file] of named) {
    const { path: from, scene, secretOf } = file;
    const read =
      scene === undefined
        ? await bytesOfFile(from, { limit: largestScene })
        : Buffer.from(JSON.stringify(scene));
    const isSealed = secretOf !== undefined && seal !== undefined;
    const content = isSealed ? Buffer.from(seal(secretOf, String(read).trim())) : read;
    const ending = scene === undefined ? extname(from) : '.json';
    const name = createHash('sha256').update(content).digest('hex').slice(0, 16) + ending;
    files.set(name, content);
    text.value = `./${name}`;
  }
  return { yaml: yaml.document.toString(), files, scanners };
}

/** Returns the scanners of an applied fleet. */
export async function scannersOfApplied({ yaml, files }: DesiredFleet): Promise<readonly MemberFacts[]> {
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
