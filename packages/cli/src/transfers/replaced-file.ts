import { randomBytes } from 'node:crypto';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandFailure } from '../command-failure.js';

/**
 * Replaces a file at once, readable for its owner only. Its content and its name are on disk when the promise resolves.
 * @throws CommandFailure
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  // A link, for example from a folder under version control, is kept.
  const target = await realpath(path).catch(() => path);
  const unfinished = `${target}.${randomBytes(4).toString('hex')}.part`;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${path} cannot be written: ${reason}`, 'refused');
  }
}

/** Makes the names of new files in a folder last. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
