import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CommandFailure } from '../command-failure.js';
import { reasonOf } from './reason.js';

/**
 * Writes a file piece by piece. It is there when it is whole; until then, and where that fails, what was there stays.
 * @throws CommandFailure where it cannot be written, and what `pieces` throws
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
