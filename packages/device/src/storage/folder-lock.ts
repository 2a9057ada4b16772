import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Another process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';

  constructor(folder: string, holder: string) {
    super(
      `${folder} is in use by process ${holder}. Stop that one, or choose another folder with --data (or another --serial).`,
    );
  }
}

/**
 * A file that names the process which uses a folder. It is taken over where that process is gone (a power cut leaves
 * the file behind). A process is told from a later one with the same number by the time it started.
 */
export class FolderLock {
  readonly #path: string;
  readonly #content: string;

  private constructor(path: string, content: string) {
    this.#path = path;
    this.#content = content;
  }

  static async take(folder: string): Promise<FolderLock> {
    const path = join(folder, 'lock');
    const content = `${JSON.stringify(await ourself())}\n`;
    // A hard link appears whole or not at all: no reader ever sees a half-written lock.
    const draft = join(folder, `lock.${process.pid}.${Date.now()}`);
    await writeFile(draft, content, { mode: 0o600 });
    try {
      for (let attempt = 0; attempt < 5; attempt++) {
        if (await linked(draft, path)) return new FolderLock(path, content);
        const found = await readText(path);
        if (found === undefined) continue;
        const holder = holderOf(found);
        if (holder !== undefined && (await lives(holder))) throw new FolderInUse(folder, String(holder.pid));
        await removeIf(path, found, `${draft}.stale`);
      }
      throw new FolderInUse(folder, 'unknown');
    } finally {
      await unlink(draft);
    }
  }

  async release(): Promise<void> {
    if ((await readText(this.#path)) === this.#content) await unlink(this.#path);
  }
}

interface Holder {
  readonly pid: number;
  readonly started: string;
  readonly host: string;
}

async function ourself(): Promise<Holder> {
  return { pid: process.pid, started: await startOf(process.pid), host: hostname() };
}

function holderOf(content: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(content);
    if (typeof holder !== 'object' || holder === null) return undefined;
    if (!('pid' in holder) || !('started' in holder) || !('host' in holder)) return undefined;
    const { pid, started, host } = holder;
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof host !== 'string') return undefined;
    return { pid, started, host };
  } catch {
    return undefined;
  }
}

async function lives(holder: Holder): Promise<boolean> {
  // Whether a process of another machine lives cannot be seen from here.
  if (holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return (await startOf(holder.pid)) === holder.started;
}

/** When a process started, where the system tells (Linux: clock ticks since boot, and which boot); else empty. */
async function startOf(pid: number): Promise<string> {
  const stat = await readText(`/proc/${pid}/stat`);
  const boot = await readText('/proc/sys/kernel/random/boot_id');
  // The name of the program, in parentheses, may hold blanks: count from behind it.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined ? '' : `${ticks}@${boot?.trim() ?? ''}`;
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the file if it still reads `content`; if another process was quicker, its lock is put back. */
async function removeIf(path: string, content: string, scratch: string): Promise<void> {
  try {
    await rename(path, scratch);
  } catch {
    return;
  }
  if ((await readText(scratch)) !== content) await linked(scratch, path);
  await unlink(scratch);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
