import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Container, DamagedContainer, readContainer } from '@azimuth/device/firmware';
import { CommandFailure } from '../command-failure.js';
import { reasonOf } from './keys.js';

/**
 * Writes a file piece by piece. It gets its name once it is complete; until then, and after a failure, an old file stays.
 * @throws CommandFailure if it cannot be written, and what `pieces` throws
 */
export async function writeNewFile(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mode = 0o644,
): Promise<void> {
  const temporary = `${path}.${process.pid}.unfinished`;
  try {
    const file = await open(temporary, 'wx', mode);
    await pipeline(pieces, file.createWriteStream());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(reasonOf(error));
    throw error;
  }
}

/**
 * Reads a firmware file from end to end.
 * @throws CommandFailure if it cannot be read, or is not a complete firmware file
 */
export async function readFirmware(file: string): Promise<Container> {
  try {
    return await readContainer(createReadStream(file));
  } catch (error) {
    if (error instanceof DamagedContainer) throw new CommandFailure(`${file}: ${error.message}`);
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(reasonOf(error));
    throw error;
  }
}
