import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Log } from '../interfaces/log.js';
import { LinkInPlace } from './storage-failure.js';

/** Opens no symbolic link, and waits for no pipe's other end, where the system knows how to. */
const itself = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What others than the owner may be allowed: the group, and everybody. */
const writableByOthers = 0o022;

/**
 * Opens a file for reading; never what a symbolic link in its place leads to.
 * @throws LinkInPlace
 */
export async function openItself(path: string): Promise<FileHandle> {
  try {
    // Windows cannot be told to open no links.
    if (constants.O_NOFOLLOW === undefined && (await lstat(path)).isSymbolicLink()) {
      throw new LinkInPlace(basename(path));
    }
    return await open(path, itself);
  } catch (error) {
    throw isLoop(error) ? new LinkInPlace(basename(path)) : error;
  }
}

/** Tells of a folder, and of files in it, that group or others may write to: who changes them changes the scanner. */
export async function warnOfOthers(folder: string, log: Log): Promise<void> {
  // Rights are another matter on Windows, and not told by the mode.
  if (process.platform === 'win32') return;
  const paths = [];
  if (((await stat(folder)).mode & writableByOthers) !== 0) paths.push(folder);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() === true && (found.mode & writableByOthers) !== 0) paths.push(path);
  }
  if (paths.length === 0) return;
  log.warn(
    'Other users may change what this scanner keeps: take the right to write from group and others (chmod go-w)',
    {
      paths,
    },
  );
}

/** Systems have two words for a link where none is to be followed. */
function isLoop(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'EMLINK');
}
