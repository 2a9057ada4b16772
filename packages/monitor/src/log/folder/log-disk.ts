import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, makeFolder } from '@azimuth/device/documents';

/** A file to which one process appends. */
export interface AppendedFile {
  size(): Promise<number>;
  /** Reads up to `bytes.length` bytes. @returns the number of bytes that it read */
  read(bytes: Buffer, position: number): Promise<number>;
  /** Writes all bytes at the end. @throws errors of the system; then some of the bytes may be in the file */
  append(bytes: Buffer): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Resolves when all content is on the disk. @throws also if the file was removed meanwhile */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file in a folder. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
}

/** The part of a file system that the log needs. Tests pass one that fails. */
export interface LogDisk {
  /** Makes a folder that only its owner may read, if it is not there. */
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<readonly ListedFile[]>;
  /** Opens a file, or makes one that only its owner may read. Symbolic links are not followed. */
  open(path: string): Promise<AppendedFile>;
  /** Removes a file. It is no error if there is none. */
  remove(path: string): Promise<void>;
  /** Resolves when new and removed files of a folder are on the disk. */
  syncFolder(folder: string): Promise<void>;
}

const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** The file system of this computer. */
export const systemDisk: LogDisk = {
  makeFolder,
  list: listFolder,
  open: async (path) => new FileOnDisk(path, await open(path, flags, 0o600)),
  remove: (path) =>
    unlink(path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    }),
  syncFolder: async (folder) => {
    // Windows opens no folders.
    if (process.platform === 'win32') return;
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  },
};

class FileOnDisk implements AppendedFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async read(bytes: Buffer, position: number): Promise<number> {
    return (await this.#handle.read(bytes, 0, bytes.length, position)).bytesRead;
  }

  append(bytes: Buffer): Promise<void> {
    return this.#handle.appendFile(bytes);
  }

  truncate(length: number): Promise<void> {
    return this.#handle.truncate(length);
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
    // A file without a name is lost when it is closed, with all that was written.
    if ((await this.#handle.stat()).nlink === 0) throw new Error(`${this.#path} was removed`);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function listFolder(folder: string): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  for (const name of await readdir(folder)) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() === true) files.push({ name, bytes: found.size });
  }
  return files;
}
