import { randomUUID } from 'node:crypto';
import { link, lstat, lutimes, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isObject } from '@azimuth/model';
import type { Log } from '../interfaces/log.js';
import { openItself } from './folder-safety.js';
import { LinkInPlace } from './storage-failure.js';

/** Another process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';

  constructor(folder: string, holder: string) {
    super(
      `${folder} is in use by process ${holder}. Stop that one, or choose another folder with --data (or another --serial).`,
    );
  }
}

/** How often, and how far apart (ms), a lock is tried for while others are about to take it over. */
const mostAttempts = 100;
const attemptPause = 20;

/** The process that holds a lock, as the file of the lock has it in JSON. */
interface Holder {
  readonly pid: number;
  /** When it started: differs from that of a later process with the same number. */
  readonly started: string;
  /** The machine or container in which its number is known. */
  readonly host: string;
}

/**
 * A file that names the process which uses a folder. If that process is gone, the lock is taken over: a power cut leaves
 * the file behind. A process of another machine or container is alive while it touches the file.
 */
export class FolderLock {
  readonly #path: string;
  readonly #content: string;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(path: string, content: string, heartbeat: number) {
    this.#path = path;
    this.#content = content;
    this.#heartbeat = setInterval(() => touch(path), heartbeat).unref();
  }

  /**
   * @param options `heartbeat` in ms: how often a holder touches the file; `log` for a symbolic link in the place of the
   * lock, which is removed
   * @throws FolderInUse
   */
  static async take(
    folder: string,
    { heartbeat = 1000, log }: { readonly heartbeat?: number; readonly log?: Log | undefined } = {},
  ): Promise<FolderLock> {
    const path = join(folder, 'lock');
    const claim = `${path}.claim`;
    const ourself: Holder = {
      pid: process.pid,
      started: await startOf(process.pid),
      host: await ourHost(),
    };
    const content = `${JSON.stringify(ourself)}\n`;
    // A hard link appears whole or not at all: nobody reads half a lock.
    const draft = join(folder, `lock.${randomUUID()}`);
    try {
      await writeFile(draft, content, { mode: 0o600 });
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        if (await linked(draft, path)) return new FolderLock(path, content, heartbeat);
        const found = await contentOf(path, log);
        const holder = holderIn(found);
        if (holder !== undefined && (await isAlive(holder, path, heartbeat)))
          throw new FolderInUse(folder, String(holder.pid));
        // One process at a time removes a dead lock. It looks again, because another may have just taken the folder.
        if (await linked(draft, claim)) {
          if ((await contentOf(path)) === found) await rm(path, { force: true });
          await rm(claim, { force: true });
        } else {
          const claimer = holderIn(await contentOf(claim));
          if (claimer === undefined || !(await isAlive(claimer, claim, heartbeat)))
            await rm(claim, { force: true });
          await setTimeout(attemptPause);
        }
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

async function isAlive({ pid, started, host }: Holder, path: string, heartbeat: number): Promise<boolean> {
  if (host !== (await ourHost())) return isTouched(path, heartbeat);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if (codeOf(error) !== 'EPERM') return false;
  }
  return (await startOf(pid)) === started;
}

/** This machine, and in it the namespace of process numbers (Linux): containers may have the same host name. */
async function ourHost(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`;
}

/** When a process started (Linux: clock ticks since a boot, and the id of that boot); empty on other systems. */
async function startOf(pid: number): Promise<string> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    // The name of the program, in parentheses, may contain blanks: the fields are counted behind it.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    // A dead process that its parent has not collected yet (state Z) still has its number.
    return fields[0] === 'Z' ? 'ended' : `${fields[19]}@${boot.trim()}`;
  } catch {
    return '';
  }
}

/** Gives a file a second name; false if that name is taken. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function touch(path: string): void {
  const now = new Date();
  // If the lock cannot be touched any more, it is gone with its folder: nothing is left to protect.
  lutimes(path, now, now).catch(() => undefined);
}

/** Does another process touch the file? Watches it for three heartbeats. */
async function isTouched(path: string, heartbeat: number): Promise<boolean> {
  const modified = async () => (await lstat(path).catch(() => undefined))?.mtimeMs;
  const before = await modified();
  await setTimeout(3 * heartbeat);
  const now = await modified();
  return now !== undefined && now !== before;
}

/** The content of a lock: empty for a symbolic link, which is not followed, and undefined if there is none. */
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
