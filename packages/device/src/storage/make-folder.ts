import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isMissing } from './missing-file.js';

/**
 * Creates a folder for its owner only (mode 0700), with the parents that are missing. It is not an error if the folder
 * exists. The recursive `mkdir` of Node.js is not used: it never ends where the system refuses new entries with ENOENT,
 * for example in `/proc`.
 * @throws the error of the system if a folder cannot be created
 */
export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  try {
    await makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) throw error;
    await makeFolder(parent);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
