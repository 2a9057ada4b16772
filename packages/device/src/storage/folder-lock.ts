import { randomUUID } from 'node:crypto';
import { link, lstat, lutimes, readlink, rm, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/** Stands for the content of a link, of which nobody is the holder. */
const aLink = '';

interface LockFacts {
  readonly heartbeat?: number;
  readonly log?: Log | undefined;
}

/** The holder of a lock touches it this often (ms); who sits on another machine is watched for three times as long. */
const usualHeartbeat = 1000;

/** How often, and how far apart (ms), a lock is tried for while others are about to take it over. */
const mostAttempts = 100;
const attemptPause = 20;

/**
 * A file that names the process which uses a folder. It is taken over where that process is gone (a power cut leaves
 * the file behind). A process is told from a later one with the same number by the time it started; one on another
 * machine, or in another container, by whether it still touches the file.
 */
export class FolderLock {
  readonly #path: string;
  readonly #content: string;
  readonly #beat: NodeJS.Timeout;

  private constructor(path: string, content: string, heartbeat: number) {
    this.#path = path;
    this.#content = content;
    this.#beat = setInterval(() => touch(path), heartbeat).unref();
  }

  /** @param facts `heartbeat` in ms; `log` is told of a link in the place of the lock, which is removed */
  static async take(
    folder: string,
    { heartbeat = usualHeartbeat, log }: LockFacts = {},
  ): Promise<FolderLock> {
    const path = join(folder, 'lock');
    const content = `${JSON.stringify(await ourself())}\n`;
    // A hard link appears whole or not at all: no reader ever sees a half-written lock.
    const draft = join(folder, `lock.${process.pid}.${randomUUID()}`);
    try {
      await writeFile(draft, content, { mode: 0o600 });
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        if (await linked(draft, path)) return new FolderLock(path, content, heartbeat);
        const found = await readText(path);
        if (found === undefined) continue;
        if (found === aLink)
          log?.warn('The lock of the folder is a symbolic link: it is not followed, but removed', { path });
        const holder = holderOf(found);
        if (holder !== undefined && (await lives(holder, path, heartbeat)))
          throw new FolderInUse(folder, String(holder.pid));
        if (!(await removed(path, found, draft))) await setTimeout(attemptPause);
      }
      throw new FolderInUse(folder, 'unknown');
    } finally {
      await rm(draft, { force: true });
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#beat);
    if ((await readText(this.#path)) === this.#content) await unlink(this.#path);
  }
}

interface Holder {
  readonly pid: number;
  readonly started: string;
  readonly host: string;
  /** Where its number means this process: containers of one host number theirs anew. Empty where the system tells none. */
  readonly numbering: string;
}

async function ourself(): Promise<Holder> {
  const numbering = await ourNumbering();
  return { pid: process.pid, started: await startOf(process.pid), host: hostname(), numbering };
}

function holderOf(content: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(content);
    if (typeof holder !== 'object' || holder === null) return undefined;
    if (!('pid' in holder) || !('started' in holder) || !('host' in holder)) return undefined;
    const { pid, started, host } = holder;
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof host !== 'string') return undefined;
    const numbering = 'numbering' in holder && typeof holder.numbering === 'string' ? holder.numbering : '';
    return { pid, started, host, numbering };
  } catch {
    return undefined;
  }
}

async function lives(holder: Holder, path: string, heartbeat: number): Promise<boolean> {
  if (holder.host !== hostname()) return isTouched(path, heartbeat);
  const numbering = await ourNumbering();
  const foreign = holder.numbering !== '' && numbering !== '' && holder.numbering !== numbering;
  if (foreign) return isTouched(path, heartbeat);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return (await startOf(holder.pid)) === holder.started;
}

/** The namespace that our process number belongs to, where the system has such. */
async function ourNumbering(): Promise<string> {
  try {
    return await readlink('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** When a process started, where the system tells (Linux: clock ticks since boot, and which boot); else empty. */
async function startOf(pid: number): Promise<string> {
  const line = await readText(`/proc/${pid}/stat`);
  const boot = await readText('/proc/sys/kernel/random/boot_id');
  // The name of the program, in parentheses, may hold blanks: count from behind it.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? [];
  const ticks = fields[19];
  // A dead process that its parent has not collected yet (state Z) still has its number, and uses nothing.
  if (fields[0] === 'Z') return 'ended';
  return ticks === undefined ? '' : `${ticks}@${boot?.trim() ?? ''}`;
}

/** Gives a file another name too; false where that name is taken. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose holder is gone. One at a time may: whoever has linked the claim looks again before he removes,
 * since a quicker one may have removed it, and taken the folder, in between.
 */
async function removed(path: string, stale: string, draft: string): Promise<boolean> {
  const claim = `${path}.claim`;
  if (!(await linked(draft, claim))) {
    // Left by a process that died just here; while its owner lives, he is at it.
    const found = await readText(claim);
    const owner = holderOf(found ?? '');
    const isStale = owner === undefined ? found !== undefined : !(await lives(owner, claim, usualHeartbeat));
    if (isStale) await rm(claim, { force: true });
    return false;
  }
  try {
    if ((await readText(path)) === stale) await unlink(path);
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

function touch(path: string): void {
  const now = new Date();
  // A lock that cannot be touched any more is gone with its folder: nothing is left to protect.
  lutimes(path, now, now).catch(() => undefined);
}

/** Does somebody touch the file while we look? Takes three heartbeats where nobody does. */
async function isTouched(path: string, heartbeat: number): Promise<boolean> {
  const before = await timeOf(path);
  for (let waited = 0; waited < 3 * heartbeat; waited += heartbeat / 4) {
    await setTimeout(heartbeat / 4);
    const now = await timeOf(path);
    if (now === undefined) return false;
    if (now !== before) return true;
  }
  return false;
}

async function timeOf(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}

/** Undefined where there is nothing to read. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await openItself(path);
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    return error instanceof LinkInPlace ? aLink : undefined;
  }
}
