import { lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Largest file (bytes) that is read again: a scanner takes no larger backup. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Writes a file at once, readable for its owner only, in folders for its owner only. After a power cut, the old or the
 * new content is there.
 */
export async function writeAtOnce(path: string, content: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A link in a work tree of others could lead anywhere.
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is a link, expected a folder`);
  const unfinished = `${path}.part`;
  // A part that was left by a power cut may be a link by now.
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** Reads a file; undefined if it is not there, or larger than any that was written. */
export async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await stat(path);
    return size > mostBytes ? undefined : await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
