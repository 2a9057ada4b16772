import { join } from 'node:path';
import type { AppendedFile, LogDisk } from './log-disk.js';
import { entriesFile, logFileNamed } from './log-file-name.js';
import { cutTornLine } from './torn-line.js';

/** A line that was removed because it was not complete. */
export interface TornLine {
  readonly file: string;
  readonly bytes: number;
}

/** The file to which is appended. */
interface OpenFile {
  readonly name: string;
  readonly file: AppendedFile;
}

interface Options {
  readonly disk: LogDisk;
  /** Bytes after which a day gets a further file. */
  readonly fileBytes: number;
}

/** The files of the entries of a monitor, by day. One process appends to them. */
export class DayFiles {
  readonly #folder: string;
  readonly #options: Options;
  /** Bytes of each file that are known to be complete lines. */
  readonly #sizes = new Map<string, number>();
  /** The last part of each day that has several. */
  readonly #lastParts = new Map<string, number>();
  #open: OpenFile | undefined;

  private constructor(folder: string, options: Options) {
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * Opens the files of a folder, and cuts torn lines.
   * @throws errors of the system
   */
  static async open(
    folder: string,
    options: Options,
  ): Promise<{ readonly files: DayFiles; readonly torn: readonly TornLine[] }> {
    const { disk } = options;
    const files = new DayFiles(folder, options);
    const torn: TornLine[] = [];
    for (const { name, bytes } of await disk.list(folder)) {
      const named = logFileNamed(name);
      if (named?.ofCommands !== false) continue;
      const cut = await cutTornLineIn(disk, join(folder, name));
      if (cut > 0) torn.push({ file: name, bytes: cut });
      files.#sizes.set(name, bytes - cut);
      const { day, part } = named;
      files.#lastParts.set(day, Math.max(part, files.#lastParts.get(day) ?? 1));
    }
    return { files, torn };
  }

  /**
   * Appends lines to the file of a day. When it resolves, they are on the disk.
   * @returns the name of the file
   * @throws errors of the system. Then none of the lines is in the file at the next append
   */
  async append(day: string, lines: Buffer): Promise<string> {
    const { name, file } = await this.#fileOf(day);
    try {
      await file.append(lines);
      await file.sync();
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#sizes.set(name, (this.#sizes.get(name) ?? 0) + lines.length);
    return name;
  }

  /** A file that was removed. */
  forget(name: string): void {
    this.#sizes.delete(name);
  }

  /** Bytes of all files. */
  get bytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Removes a file, if it has this many bytes and is not open. @returns true if it was removed */
  async discard(name: string, bytes: number): Promise<boolean> {
    if (this.#open === undefined || this.#open.name === name || this.#sizes.get(name) !== bytes) return false;
    this.forget(name);
    await this.#options.disk.remove(join(this.#folder, name));
    return true;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.file.close().catch(() => undefined);
  }

  async #fileOf(day: string): Promise<OpenFile> {
    const name = this.#nameFor(day);
    if (this.#open?.name === name) return this.#open;
    await this.close();
    const { disk } = this.#options;
    await disk.makeFolder(this.#folder);
    const file = await disk.open(join(this.#folder, name));
    try {
      await this.#restore(name, file);
      await disk.syncFolder(this.#folder);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#open = { name, file };
    return this.#open;
  }

  /** Removes what an append has left that failed. */
  async #restore(name: string, file: AppendedFile): Promise<void> {
    const known = this.#sizes.get(name) ?? 0;
    const size = await file.size();
    if (size > known) await file.truncate(known);
    if (size > known) await file.sync();
    this.#sizes.set(name, Math.min(size, known));
  }

  /** The last file of a day, or a further one if that is full. */
  #nameFor(day: string): string {
    const part = this.#lastParts.get(day) ?? 1;
    const last = entriesFile(day, part);
    if ((this.#sizes.get(last) ?? 0) < this.#options.fileBytes) return last;
    this.#lastParts.set(day, part + 1);
    return entriesFile(day, part + 1);
  }
}

async function cutTornLineIn(disk: LogDisk, path: string): Promise<number> {
  const file = await disk.open(path);
  try {
    return await cutTornLine(file);
  } finally {
    await file.close();
  }
}
