import { type FileHandle, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from '@azimuth/async';
import type { Log, Storage } from '../interfaces/environment.js';
import { asideName, storedNames } from './document.js';
import { FolderLock } from './folder-lock.js';
import { makeFolder, openItself, warnOfOthers } from './make-folder.js';
import { receive, replace, unfinished } from './replacement.js';
import { exists, isMissing } from './storage-failure.js';

/** Bytes of a file in one read. Each slow download holds as many in memory. */
const pieceBytes = 32 * 1024;

/** Documents as files of a folder. One process at a time uses it. */
export class FolderStorage implements Storage {
  /** Its path, as given to `open`. */
  readonly folder: string;
  readonly #lock: FolderLock;
  readonly #handle: FileHandle | undefined;
  /** Writers of the same document wait for each other, because they use the same temporary file. */
  readonly #mutexes = new Map<string, Mutex>();

  #closed = false;

  private constructor(folder: string, lock: FolderLock, handle: FileHandle | undefined) {
    this.folder = folder;
    this.#lock = lock;
    this.#handle = handle;
  }

  /**
   * Creates the folder if it is missing, and locks it for this process. `log` gets a warning of files that other users
   * may change, and of a symbolic link in place of the lock.
   * @throws FolderInUse if another process uses it
   */
  static async open(folder: string, log?: Log): Promise<FolderStorage> {
    await makeFolder(folder);
    const lock = await FolderLock.acquire(folder, { log });
    try {
      const storage = new FolderStorage(folder, lock, await handleOf(folder));
      await storage.#removeRemains();
      if (log !== undefined) await warnOfOthers(folder, log);
      return storage;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const file = await this.#opened(name);
    try {
      return await file?.readFile();
    } finally {
      await file?.close();
    }
  }

  async write(name: string, content: Uint8Array, { secret = false } = {}): Promise<void> {
    await this.#inTurn(name, () => this.#replace(name, content, secret));
  }

  async receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(this.folder, name);
    await this.#inTurn(name, () =>
      receive({ temporary: `${path}${unfinished}`, path, pieces, mode: 0o644 }, this.#handle?.fd),
    );
  }

  async pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = await this.#opened(name);
    return file?.createReadStream({ highWaterMark: pieceBytes });
  }

  /** Does not wait for a write in progress: that write then creates the file again. */
  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }

  async #opened(name: string): Promise<FileHandle | undefined> {
    try {
      return await openItself(join(this.folder, name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async #inTurn(name: string, act: () => Promise<void>): Promise<void> {
    if (this.#closed) throw new Error(`${this.folder} was released: ${name} is no longer written`);
    const mutex = this.#mutexes.get(name) ?? new Mutex();
    this.#mutexes.set(name, mutex);
    await mutex.run(act);
  }

  async #replace(name: string, content: Uint8Array, secret: boolean): Promise<void> {
    const path = join(this.folder, name);
    const temporary = `${path}${unfinished}`;
    await replace({ temporary, path, content, mode: secret ? 0o600 : 0o644 }, this.#handle?.fd);
  }

  async setAside(name: string): Promise<string> {
    const aside = await renameAside(this.folder, name);
    await this.#handle?.sync();
    return aside;
  }

  /** Renamed and unreadable files count, too. Files of others do not. */
  async isUsed(): Promise<boolean> {
    const found = await readdir(this.folder);
    return found.some(
      (file) => !file.endsWith(unfinished) && storedNames.some((name) => file.startsWith(name)),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#mutexes.values()].map((mutex) => mutex.idle()));
    await this.#handle?.close();
    await this.#lock.release();
  }

  /** Removes files that a power cut left unfinished. */
  async #removeRemains(): Promise<void> {
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith(unfinished)) await unlink(join(this.folder, entry.name));
    }
  }
}

/** The folder, opened to be synced after a change of a name. Windows cannot open folders, and needs no sync. */
async function handleOf(folder: string): Promise<FileHandle | undefined> {
  return process.platform === 'win32' ? undefined : open(folder, 'r');
}

/** Renames an unreadable file. Returns its new name, which no other file has. */
export async function renameAside(folder: string, name: string): Promise<string> {
  const first = asideName(name);
  for (let more = 0; ; more++) {
    const aside = more === 0 ? first : `${first}-${more}`;
    if (await exists(join(folder, aside))) continue;
    await rename(join(folder, name), join(folder, aside));
    return aside;
  }
}
