import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '../ports/storage.js';
import { FolderLock } from './folder-lock.js';

/** What a document is called until it is whole. Nobody else names a file so: what is left of one may be removed. */
const unfinished = '.azimuth-unfinished';

/** Documents as files of one folder, which one process at a time uses. */
export class FolderStorage implements Storage {
  readonly folder: string;
  readonly #lock: FolderLock;
  /** Two writers of one document take turns; otherwise they would share a temporary file. */
  readonly #turns = new Map<string, Promise<void>>();

  #closed = false;

  private constructor(folder: string, lock: FolderLock) {
    this.folder = folder;
    this.#lock = lock;
  }

  /**
   * Makes the folder where it is missing, and takes it for this process.
   * @throws FolderInUse where another process has it.
   */
  static async open(folder: string): Promise<FolderStorage> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await FolderLock.take(folder);
    const storage = new FolderStorage(folder, lock);
    await storage.#removeRemains();
    return storage;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(join(this.folder, name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async write(name: string, content: Uint8Array, { secret = false } = {}): Promise<void> {
    if (this.#closed) throw new Error(`${this.folder} was given back: ${name} is not written any more`);
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(() =>
      this.#replace(name, content, secret),
    );
    // The next writer waits for this one, whether it succeeds or not.
    this.#turns.set(
      name,
      turn.catch(() => undefined),
    );
    await turn;
  }

  async #replace(name: string, content: Uint8Array, secret: boolean): Promise<void> {
    const temporary = join(this.folder, `${name}${unfinished}`);
    await writeDurably(temporary, content, secret ? 0o600 : 0o644);
    try {
      await rename(temporary, join(this.folder, name));
    } catch (error) {
      await unlink(temporary);
      throw error;
    }
    await syncFolder(this.folder);
  }

  async setAside(name: string): Promise<string> {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
    for (let more = 0; ; more++) {
      const aside = `${name}.unreadable-${stamp}${more === 0 ? '' : `-${more}`}`;
      if (await exists(join(this.folder, aside))) continue;
      await rename(join(this.folder, name), join(this.folder, aside));
      await syncFolder(this.folder);
      return aside;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#turns.values());
    await this.#lock.release();
  }

  /** What a power cut left of documents that were never finished. */
  async #removeRemains(): Promise<void> {
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith(unfinished)) await unlink(join(this.folder, entry.name));
    }
  }
}

async function writeDurably(path: string, content: Uint8Array, mode: number): Promise<void> {
  let file: FileHandle | undefined;
  try {
    // A file that was left keeps its rights: a new one has ours from the start.
    await rm(path, { force: true });
    file = await open(path, 'wx', mode);
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await file?.close();
    file = undefined;
    await unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await file?.close();
  }
}

/** Without this the rename itself may be lost in a power cut. Windows cannot open a folder, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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
