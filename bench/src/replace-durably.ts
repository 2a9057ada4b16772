import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Replaces a file so that after a power cut it is the old one or the new one: write, fsync, rename, fsync of the
 * folder. Synchronous calls are the fastest while the process has nothing else to do.
 */
export function replaceDurably(folder: string, name: string, content: Uint8Array): void {
  const temporary = join(folder, `${name}.new`);
  const file = openSync(temporary, 'w', 0o644);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, join(folder, name));
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Replaces a file with asynchronous calls, during which the process can do other work. */
export async function replaceDurablyByPromises(
  folder: string,
  name: string,
  content: Uint8Array,
): Promise<void> {
  const temporary = join(folder, `${name}.new`);
  const file = await open(temporary, 'w', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(folder, name));
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
