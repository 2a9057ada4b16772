import * as fs from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

// The calls with callbacks, made to promises: a FileHandle costs a third of a whole save more.
const open = promisify(fs.open);
const writeAll = promisify<number, Uint8Array, void>((file, content, done) =>
  fs.writeFile(file, content, done),
);
const sync = promisify(fs.fsync);
const close = promisify(fs.close);
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
    const file = await written(replacement);
    const closing = close(file);
    // Windows renames no open file; elsewhere the two need not wait for each other.
    if (process.platform === 'win32') await closing;
    await Promise.all([closing, rename(temporary, path)]);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (folder !== undefined) await sync(folder);
}

/** Writes the new file to disk, and leaves it open. */
async function written({ temporary, content, mode }: Replacement): Promise<number> {
  const file = await created(temporary, mode);
  try {
    await writeAll(file, content);
    await sync(file);
    return file;
  } catch (error) {
    await close(file);
    throw error;
  }
}

/** A file that was left keeps its rights: a new one has ours from the start. */
async function created(path: string, mode: number): Promise<number> {
  try {
    return await open(path, 'wx', mode);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    await rm(path, { force: true });
    return open(path, 'wx', mode);
  }
}
