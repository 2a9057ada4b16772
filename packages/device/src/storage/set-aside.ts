import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from './missing-file.js';

/** Renames a file that cannot be understood. Returns its new name, which no other file has. */
export async function renameAside(folder: string, name: string): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  for (let more = 0; ; more++) {
    const aside = `${name}.unreadable-${stamp}${more === 0 ? '' : `-${more}`}`;
    if (await isThere(join(folder, aside))) continue;
    await rename(join(folder, name), join(folder, aside));
    return aside;
  }
}
