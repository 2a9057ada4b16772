import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './storage-failure.js';

/** Renames a file that cannot be understood. Returns its new name, which no other file has. */
export async function renameAside(folder: string, name: string): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  for (let more = 0; ; more++) {
    const aside = `${name}.unreadable-${stamp}${more === 0 ? '' : `-${more}`}`;
    if (await exists(join(folder, aside))) continue;
    await rename(join(folder, name), join(folder, aside));
    return aside;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
