import { type FileHandle, open, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { longestBackup } from '../backup-restore/backup-file.js';
import type { Log } from '../interfaces/environment.js';
import { PlugFailure, type SystemPlug } from '../interfaces/hardware/index.js';
import { FolderInUse, FolderLock, ForeignLock } from '../storage/folder-lock.js';
import { renameAside } from '../storage/folder-storage.js';
import { isWritableByOthers, openItself } from '../storage/make-folder.js';
import { receive, unfinished } from '../storage/replacement.js';
import { codeOf, LinkInPlace } from '../storage/storage-failure.js';

const file = 'system-plug.json';

/**
 * A folder as a system plug, for one scanner at a time. A missing folder is a failing plug, and is not created. A full
 * or read-only plug can be read.
 */
export class FolderPlug implements SystemPlug {
  /** Its full path. */
  readonly name: string;
  readonly #log: Log | undefined;
  #lock: FolderLock | undefined;
  #isChecked = false;

  /**
   * Creates the plug, without a look at the folder.
   * @param log gets a warning if other users may write to the folder
   */
  constructor(folder: string, log?: Log) {
    this.name = resolve(folder);
    this.#log = log;
  }

  async read(): Promise<Uint8Array | undefined> {
    await this.#acquireLock();
    const found = await this.#opened();
    // The stream closes the file. It does not read a file to its end if the file is longer than a backup.
    return found === undefined ? undefined : buffer(found.createReadStream({ end: longestBackup }));
  }

  async write(content: Uint8Array): Promise<void> {
    await this.#acquireLock();
    const path = join(this.name, file);
    await this.#inFolder((folder) =>
      receive({ temporary: `${path}${unfinished}`, path, pieces: [content], mode: 0o600 }, folder?.fd),
    );
  }

  async setAside(): Promise<string> {
    await this.#acquireLock();
    return this.#inFolder(async (folder) => {
      const aside = await renameAside(this.name, file);
      await folder?.sync();
      return aside;
    });
  }

  async release(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.release();
  }

  /** @throws PlugFailure if there is no such folder, or if another scanner uses it */
  async #acquireLock(): Promise<void> {
    if (!(await isFolder(this.name))) {
      // A folder that comes back in its place is another folder.
      await this.release();
      throw new PlugFailure('the folder of the plug does not exist, or is not a folder');
    }
    this.#lock ??= await lockOf(this.name);
    await this.#warnOfOthers();
  }

  /** Warns once: other users could change the parameters that a scanner adopts. */
  async #warnOfOthers(): Promise<void> {
    if (this.#isChecked) return;
    this.#isChecked = true;
    if (!(await isWritableByOthers(this.name))) return;
    this.#log?.warn(
      'Other users may change the system plug: remove the write permission of group and others (chmod go-w)',
      { path: this.name },
    );
  }

  async #opened(): Promise<FileHandle | undefined> {
    const found = await openItself(join(this.name, file)).catch((error: unknown) => {
      if (error instanceof LinkInPlace) throw new PlugFailure(error.message);
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found === undefined || (await found.stat()).isFile()) return found;
    await found.close();
    throw new PlugFailure(`${file} is not a file`);
  }

  /** Calls `act` with the open folder, which is synced after it. Windows cannot open folders, and needs no sync. */
  async #inFolder<T>(act: (folder: FileHandle | undefined) => Promise<T>): Promise<T> {
    const folder = process.platform === 'win32' ? undefined : await open(this.name, 'r');
    try {
      return await act(folder);
    } finally {
      await folder?.close();
    }
  }
}

/** The lock. Undefined if the plug is full or read-only. Such a plug cannot be written, either. */
async function lockOf(folder: string): Promise<FolderLock | undefined> {
  try {
    return await FolderLock.acquire(folder, { keepsForeign: true });
  } catch (error) {
    if (error instanceof FolderInUse) throw new PlugFailure('another scanner uses the plug');
    if (error instanceof ForeignLock)
      throw new PlugFailure('the folder has a file lock that is not of a scanner');
    return undefined;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
}
