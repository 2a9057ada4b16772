import { fsync, rename } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const sync = promisify(fsync);
const renamed = promisify(rename);

/** Bytes that wait for the disk, at most, before no more are asked for. */
const mostWaiting = 1024 * 1024;

/** A large file that takes the place of another. */
export interface Reception {
  readonly temporary: string;
  readonly path: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Replaces a file with what comes in pieces: once the promise is fulfilled the new one is on disk, whole; until then
 * the old one is. Rejects with what `pieces` throws. `folder` is as for `replace`.
 */
export async function receive(
  { temporary, path, pieces }: Reception,
  folder: number | undefined,
): Promise<void> {
  try {
    await rm(temporary, { force: true });
    await write(temporary, pieces);
    await renamed(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (folder !== undefined) await sync(folder);
}

/**
 * `flush` has all of it on disk before the file is closed, which is what the pipeline waits for. The file is there before
 * the first piece is asked for: else one that is broken off at once would appear after it was removed.
 */
async function write(temporary: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(temporary, 'wx', 0o644);
  await pipeline(pieces, file.createWriteStream({ flush: true, highWaterMark: mostWaiting }));
}
