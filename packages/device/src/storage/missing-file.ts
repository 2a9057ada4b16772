import { lstat } from 'node:fs/promises';
import { codeOf } from './storage-failure.js';

/** Does an error of the file system say that there is no such file or folder? */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Is there anything with this path, be it a link that leads nowhere? @throws Error if the file system does not tell */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
