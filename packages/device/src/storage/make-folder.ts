import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Log } from '../interfaces/environment.js';
import { codeOf, isMissing, LinkInPlace } from './storage-failure.js';

/**
 * Creates a folder for its owner only (mode 0700), with the parents that are missing. It is not an error if the folder
 * exists. The recursive `mkdir` of Node.js is not used: it never ends if the system refuses new entries with ENOENT,
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

/** Follows no symbolic link and does not wait for the other end of a pipe, if the system has such flags. */
const itself = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The write permissions of the group and of everybody. */
const writableByOthers = 0o022;

/**
 * Opens a file for reading, and never follows a symbolic link.
 * @throws LinkInPlace
 */
export async function openItself(path: string): Promise<FileHandle> {
  try {
    // Windows has no such flag.
    if (constants.O_NOFOLLOW === undefined && (await lstat(path)).isSymbolicLink()) {
      throw new LinkInPlace(basename(path));
    }
    return await open(path, itself);
  } catch (error) {
    throw isLoop(error) ? new LinkInPlace(basename(path)) : error;
  }
}

/** True if group or others may write to a file or folder. On Windows the mode says nothing about permissions. */
export async function isWritableByOthers(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & writableByOthers) !== 0;
}

/** Warns of a folder and of files in it that other users may write to: they could change the scanner. */
export async function warnOfOthers(folder: string, log: Log): Promise<void> {
  // On Windows the mode says nothing about permissions.
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
    'Other users may change the folder of this scanner: remove the write permission of group and others (chmod go-w)',
    {
      paths,
    },
  );
}

/** Systems differ in the error code for a symbolic link that is not followed. */
function isLoop(error: unknown): boolean {
  return ['ELOOP', 'EMLINK'].includes(codeOf(error) ?? '');
}
