import { cp, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '@azimuth/device';

/** Copies a folder of files. All of it is on disk when the promise resolves. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  // Links stay links: what they point to is not the scanner's.
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  for (const entry of await readdir(to, { withFileTypes: true }))
    if (entry.isFile()) await flush(join(to, entry.name));
  if (process.platform === 'win32') return;
  for (const folder of [to, dirname(to), dirname(dirname(to))]) await flush(folder);
}

async function flush(path: string): Promise<void> {
  // Windows flushes only what is open for writing.
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
