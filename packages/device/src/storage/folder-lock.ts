import { randomUUID } from 'node:crypto';
import { link, lstat, lutimes, readFile, readlink, rm, statfs, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pause } from '@azimuth/async';
import { isObject } from '@azimuth/model';
import type { Log } from '../interfaces/environment.js';
import { openItself } from './make-folder.js';
import { codeOf, LinkInPlace } from './storage-failure.js';

/** Another process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';

  /**
   * Creates the error.
   * @param holder number of the process that holds the lock
   */
  constructor(
    folder: string,
    readonly holder: string,
  ) {
    super(
      `${folder} is in use by process ${holder}. Stop that process, or choose another folder with --data (or another --serial).`,
    );
  }
}

/** Refuses a folder with a file `lock` of another program. */
export class ForeignLock extends Error {
  override readonly name = 'ForeignLock';
}

/** Attempts to acquire a lock while other processes try the same, and the pause between them in ms. */
const mostAttempts = 100;
const attemptPause = 20;

/** The process that holds a lock: the content of the lock file, in JSON. */
interface Holder {
  readonly pid: number;
  /** Its start time. A later process with the same number has another value. */
  readonly started: string;
  /** The machine or container in which it runs. */
  readonly host: string;
}

/**
 * Lets only one process use a folder: the file `lock` in it names this process. A power cut leaves the file there. So
 * if the process does not run any more, the next one gets the lock. The state of a process of another machine or
 * container is unknown. It counts as running if it updates the time of the file when it is asked, within a second. On a
 * file system that other machines may mount, it updates the time every second without being asked.
 */
export class FolderLock {
  readonly #path: string;
  readonly #content: string;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(path: string, content: string, heartbeat: number, isShared: boolean) {
    this.#path = path;
    this.#content = content;
    const beat = isShared ? touch : touchIfAsked;
    this.#heartbeat = setInterval(() => beat(path), heartbeat).unref();
  }

  /**
   * @param options `heartbeat`: interval in ms at which the holder updates the time of the file, or looks whether
   * somebody asks for it. `isShared`: true if other machines may mount the folder. `log`: gets a warning
   * if there is a symbolic link in place of the lock, which is removed. `keepsForeign`: a lock that is not in our
   * format is not removed
   * @throws FolderInUse if a running process holds the lock
   * @throws ForeignLock for such a lock, if `keepsForeign` is true
   */
  static async acquire(
    folder: string,
    {
      heartbeat = 1000,
      isShared,
      log,
      keepsForeign = false,
    }: {
      readonly heartbeat?: number;
      readonly isShared?: boolean;
      readonly log?: Log | undefined;
      readonly keepsForeign?: boolean;
    } = {},
  ): Promise<FolderLock> {
    const path = join(folder, 'lock');
    const holder: Holder = {
      pid: process.pid,
      started: await startOf(process.pid),
      host: await ourHost(),
    };
    const content = `${JSON.stringify(holder)}\n`;
    // A hard link to a complete file: no process can read half a lock, and only one process can create it.
    const draft = join(folder, `lock.${randomUUID()}`);
    try {
      // Flushed: a power cut leaves no lock that is not in our format.
      await writeFile(draft, content, { mode: 0o600, flush: true });
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        if (await linked(draft, path))
          return new FolderLock(path, content, heartbeat, isShared ?? (await mayBeShared(folder)));
        if (keepsForeign) for (const file of [path, claimOf(path)]) await assertOurs(file);
        const found = await contentOf(path, log);
        // The lock was removed meanwhile. Another process may lock the folder now, so a later lock is not stale.
        if (found === undefined && (await isMissing(path))) continue;
        const pid = await runningHolder(found, path, heartbeat);
        if (pid !== undefined) throw new FolderInUse(folder, String(pid));
        await removeStale(path, found, draft, heartbeat);
      }
      throw new FolderInUse(folder, 'unknown');
    } finally {
      await rm(draft, { force: true });
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    if ((await contentOf(this.#path)) === this.#content) await rm(this.#path);
  }
}

/**
 * Removes a stale lock whose content is `found`. Only the process that has the file `lock.claim` may do this. It reads
 * the lock again first, because another process may have locked the folder meanwhile.
 * @param draft our own lock file, not yet in place
 */
async function removeStale(
  path: string,
  found: string | undefined,
  draft: string,
  heartbeat: number,
): Promise<void> {
  const claim = claimOf(path);
  if (await linked(draft, claim)) {
    if ((await contentOf(path)) === found) await rm(path, { force: true });
    await rm(claim, { force: true });
    return;
  }
  const claimer = await runningHolder(await contentOf(claim), claim, heartbeat);
  if (claimer === undefined) await rm(claim, { force: true });
  await pause(attemptPause);
}

function claimOf(path: string): string {
  return `${path}.claim`;
}

/** @throws ForeignLock if the file at `path` names no process */
async function assertOurs(path: string): Promise<void> {
  if (await isMissing(path)) return;
  if (holderIn(await contentOf(path)) !== undefined) return;
  // The file may have been removed between the two checks.
  if (!(await isMissing(path))) throw new ForeignLock(path);
}

async function isMissing(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) === undefined;
}

/**
 * The number of the process that holds the lock at `path`. Undefined if it does not run, or if the content names none.
 */
async function runningHolder(
  content: string | undefined,
  path: string,
  heartbeat: number,
): Promise<number | undefined> {
  const holder = holderIn(content);
  return holder !== undefined && (await isRunning(holder, path, heartbeat)) ? holder.pid : undefined;
}

/** Undefined for a content that names no process. */
function holderIn(content: string | undefined): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(content ?? '');
    if (!isObject(holder)) return undefined;
    const { pid, started, host } = holder;
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof host !== 'string') return undefined;
    return { pid, started, host };
  } catch {
    return undefined;
  }
}

async function isRunning({ pid, started, host }: Holder, path: string, heartbeat: number): Promise<boolean> {
  if (host !== (await ourHost())) return isTouched(path, heartbeat);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs, under another user.
    if (codeOf(error) !== 'EPERM') return false;
  }
  return (await startOf(pid)) === started;
}

/** The host name, and on Linux the namespace of process numbers, because containers may have the same host name. */
async function ourHost(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`;
}

/**
 * Start time of a process. On Linux: the clock ticks since the boot, and the id of that boot. Empty on other systems.
 */
async function startOf(pid: number): Promise<string> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    // The fields are counted from the end of the program name, which is in parentheses and may contain blanks.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    // State Z: the process has ended, but its parent has not read its exit code yet.
    return fields[0] === 'Z' ? 'ended' : `${fields[19]}@${boot.trim()}`;
  } catch {
    return '';
  }
}

/** Makes a hard link; false if `to` exists. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Types of file systems that only one machine mounts: tmpfs, ext4, XFS, Btrfs, F2FS, UBIFS, overlay. Flash of a board
 * would wear out if the time of a file there changed every second.
 */
const localTypes: readonly number[] = [
  0x01021994, 0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x24051905, 0x794c7630,
];

async function mayBeShared(folder: string): Promise<boolean> {
  const { type } = await statfs(folder, { bigint: true });
  // Systems of 32 bits extend the sign.
  return process.platform !== 'linux' || !localTypes.includes(Number(BigInt.asUintN(32, type)));
}

/** The file by which another process asks if the holder runs. */
function questionOf(path: string): string {
  return `${path}.asked`;
}

/** Answers a question, and removes it. Nothing is written if there is none. */
function touchIfAsked(path: string): void {
  unlink(questionOf(path)).then(
    () => touch(path),
    () => undefined,
  );
}

function touch(path: string): void {
  const now = new Date();
  // This fails if the folder was removed. Then there is nothing to protect.
  lutimes(path, now, now).catch(() => undefined);
}

/** True if another process updates the time of the file. Asks three times, a heartbeat apart. */
async function isTouched(path: string, heartbeat: number): Promise<boolean> {
  const modified = async () => (await lstat(path).catch(() => undefined))?.mtimeMs;
  const question = questionOf(path);
  const before = await modified();
  try {
    for (let asked = 0; asked < 3; asked++) {
      await writeFile(question, '', { flag: 'wx', mode: 0o600 }).catch(() => undefined);
      await pause(heartbeat);
    }
  } finally {
    await rm(question, { force: true });
  }
  const now = await modified();
  return now !== undefined && now !== before;
}

/** The content of a lock file. Undefined without a file. Empty for a symbolic link, which is not followed. */
async function contentOf(path: string, log?: Log): Promise<string | undefined> {
  try {
    const file = await openItself(path);
    return await file.readFile('utf8').finally(() => file.close());
  } catch (error) {
    if (!(error instanceof LinkInPlace)) return undefined;
    log?.warn('The lock of the folder is a symbolic link: it is not followed, but removed', { path });
    return '';
  }
}
