import * as fs from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

// What waits for the disk is left to another thread. The rest is over sooner than a thread is woken for it.
const sync = promisify(fs.fsync);
const rename = promisify(fs.rename);

/** A file of which nobody but its writer knows until it takes the place of another. */
export interface Replacement {
  readonly temporary: string;
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

/**
 * Replaces a file: once the promise is fulfilled the new one is on disk, whole; until then the old one is. `folder` is
 * the open folder that holds both; without its own sync the rename may be lost in a power cut (undefined on Windows,
 * which can open no folder and needs no such call).
 */
export async function replace(replacement: Replacement, folder: number | undefined): Promise<void> {
  const { temporary, path } = replacement;
  try {
    await writeDurably(replacement);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (folder !== undefined) await sync(folder);
}

async function writeDurably({ temporary, content, mode }: Replacement): Promise<void> {
  const file = created(temporary, mode);
  try {
    fs.writeFileSync(file, content);
    await sync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** A file that was left keeps its rights: a new one has ours from the start. */
function created(path: string, mode: number): number {
  try {
    return fs.openSync(path, 'wx', mode);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    fs.rmSync(path, { force: true });
    return fs.openSync(path, 'wx', mode);
  }
}
