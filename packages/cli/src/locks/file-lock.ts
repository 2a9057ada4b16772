import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { Mutex, pause } from '@azimuth/async';
import { CommandFailure } from '../command-failure.js';
import { isRunning } from './running-process.js';

/** Longest time that another process may work with a file (ms). */
const longestWait = 10_000;

const tryAgainMs = 50;

/** Locks of this process come one after the other. */
const own = new Mutex();

/**
 * Runs an action while no other process does so with the same file. The lock is a file beside it with the number of
 * the process: one that a killed process has left does not count.
 * @throws CommandFailure if another process keeps the file for ten seconds
 */
export function withFileLock<T>(path: string, act: () => Promise<T>): Promise<T> {
  return own.run(() => locked(path, act));
}

async function locked<T>(path: string, act: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const end = performance.now() + longestWait;
  while (!(await isMade(lock))) {
    const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true });
    else if (performance.now() > end) {
      throw new CommandFailure(`${path} is in use: remove ${lock} if no azimuth works with it`, 'refused');
    } else await pause(tryAgainMs);
  }
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
}

/**
 * Makes the lock. Returns false if there is one. It is a hard link to a complete file: a process that is killed leaves no
 * lock without its number, which would count for ever.
 */
async function isMade(lock: string): Promise<boolean> {
  const draft = `${lock}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, String(process.pid), { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
