import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import { FolderLock } from './folder-lock.js';
import { openItself, warnOfOthers } from './folder-safety.js';
import { receive, replace } from './replacement.js';

/** Bytes of a file that are read at a time: as many may wait for each who is sent one and does not read. */
const pieceBytes = 32 * 1024;

/** What a document is called until it is whole. Nobody else names a file so: what is left of one may be removed. */
const unfinished = '.azimuth-unfinished';

/** Documents as files of one folder, which one process at a time uses. */
export class FolderStorage implements Storage {
  readonly folder: string;
  readonly #lock: FolderLock;
  readonly #handle: FileHandle | undefined;
  /** Two writers of one document take turns; otherwise they would share a temporary file. */
  readonly #turns = new Map<string, Promise<void>>();

  #closed = false;

  private constructor(folder: string, lock: FolderLock, handle: FileHandle | undefined) {
    this.folder = folder;
    this.#lock = lock;
    this.#handle = handle;
  }

  /**
   * Makes the folder where it is missing, and takes it for this process. `log` is told of what others may change in it,
   * and of a lock that is none.
   * @throws FolderInUse where another process has it.
   */
  static async open(folder: string, log?: Log): Promise<FolderStorage> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await FolderLock.take(folder, { log });
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
      receive({ temporary: `${path}${unfinished}`, path, pieces }, this.#handle?.fd),
    );
  }

  async pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = await this.#opened(name);
    return file?.createReadStream({ highWaterMark: pieceBytes });
  }

  /** At once: a file that is on its way to take the place of this one comes all the same. */
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
    if (this.#closed) throw new Error(`${this.folder} was given back: ${name} is not written any more`);
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(act);
    // The next writer waits for this one, whether it succeeds or not.
    this.#turns.set(
      name,
      turn.catch(() => undefined),
    );
    await turn;
  }

  async #replace(name: string, content: Uint8Array, secret: boolean): Promise<void> {
    const path = join(this.folder, name);
    const temporary = `${path}${unfinished}`;
    await replace({ temporary, path, content, mode: secret ? 0o600 : 0o644 }, this.#handle?.fd);
  }

  async setAside(name: string): Promise<string> {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
    for (let more = 0; ; more++) {
      const aside = `${name}.unreadable-${stamp}${more === 0 ? '' : `-${more}`}`;
      if (await exists(join(this.folder, aside))) continue;
      await rename(join(this.folder, name), join(this.folder, aside));
      await this.#handle?.sync();
      return aside;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#turns.values());
    await this.#handle?.close();
    await this.#lock.release();
  }

  /** What a power cut left of documents that were never finished. */
  async #removeRemains(): Promise<void> {
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith(unfinished)) await unlink(join(this.folder, entry.name));
    }
  }
}

/** The folder itself, to be synced when a name in it has changed. Windows can open none, and needs no such call. */
async function handleOf(folder: string): Promise<FileHandle | undefined> {
  return process.platform === 'win32' ? undefined : open(folder, 'r');
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
