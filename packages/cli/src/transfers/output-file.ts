import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandFailure } from '../command-failure.js';
import type { DeviceOptions } from '../options/command.js';
import { jsonText } from '../output/output.js';

/** Stands for standard output. */
export const standardOutput = '-';

const ownerOnly = 0o600;

type Pieces = AsyncIterable<Uint8Array>;

/**
 * An output file, readable for its owner only. It gets its name when it is complete. Anything but a regular file (a
 * pipe, /dev/null) is written to directly.
 */
export class OutputFile {
  readonly #path: string;
  readonly #direct: boolean;
  readonly #mode: number;

  private constructor(path: string, direct: boolean, mode = ownerOnly) {
    this.#path = path;
    this.#direct = direct;
    this.#mode = mode;
  }

  /**
   * Checks the path. Call it before any request to a scanner: without `force`, an existing file is not replaced.
   * @throws CommandFailure
   */
  static async at(path: string, force: boolean): Promise<OutputFile> {
    if (path === standardOutput) return new OutputFile(path, true);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isDirectory()) throw new CommandFailure(`${path} is a folder`);
    if (stats?.isFile() && !force)
      throw new CommandFailure(`${path} already exists; use --force to replace it`);
    return new OutputFile(path, stats !== undefined && !stats.isFile());
  }

  /** Opens a file for changes: it keeps its mode. A new one is readable for its owner only. @throws CommandFailure */
  static async changed(path: string): Promise<OutputFile> {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined || !stats.isFile()) return OutputFile.at(path, true);
    return new OutputFile(path, false, stats.mode & 0o777);
  }

  /** Writes all pieces; returns the number of bytes. @throws CommandFailure if the file cannot be written. */
  async write(pieces: Pieces): Promise<number> {
    if (this.#path === standardOutput) return toStandardOutput(pieces);
    if (this.#direct) return this.#into(this.#path, 'w', pieces);
    const unfinished = `${this.#path}.${randomBytes(4).toString('hex')}.part`;
    try {
      const bytes = await this.#into(unfinished, 'wx', pieces);
      await rename(unfinished, this.#path).catch((error: unknown) => this.#fail(error));
      return bytes;
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async #into(path: string, flag: 'w' | 'wx', pieces: Pieces): Promise<number> {
    await makeParentFolder(path).catch((error: unknown) => this.#fail(error));
    const file = await open(path, flag, this.#mode).catch((error: unknown) => this.#fail(error));
    let bytes = 0;
    try {
      for await (const piece of pieces) {
        await this.#append(file, piece);
        bytes += piece.byteLength;
      }
      if (!this.#direct) await file.sync().catch((error: unknown) => this.#fail(error));
    } finally {
      await file.close();
    }
    return bytes;
  }

  async #append(file: FileHandle, piece: Uint8Array): Promise<void> {
    await file.writeFile(piece).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): never {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${this.#path} cannot be written: ${reason}`, 'refused');
  }
}

async function toStandardOutput(pieces: Pieces): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
    bytes += piece.byteLength;
  }
  return bytes;
}

/**
 * Checks the output file of each scanner. Call it before any request to a scanner: without `force`, existing files are
 * not replaced.
 * @throws CommandFailure
 */
export async function outputFiles<Key>(
  paths: ReadonlyMap<Key, string>,
  { force = false }: { readonly force?: boolean },
): Promise<ReadonlyMap<Key, OutputFile>> {
  const files = new Map<Key, OutputFile>();
  for (const [key, path] of paths) {
    await requireFolder(path);
    files.set(key, await OutputFile.at(path, force));
  }
  return files;
}

/**
 * Checks that the parent of an output file is not a file. Call it before any request to a scanner.
 * @throws CommandFailure that names a path that is not a folder
 */
export async function requireFolder(path: string): Promise<void> {
  if (path === standardOutput) return;
  const folder = dirname(path);
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code);
  if (typeof stats === 'object' && stats.isDirectory()) return;
  if (typeof stats === 'object' || stats === 'ENOTDIR') {
    throw new CommandFailure(`${path} cannot be written: ${folder} is not a folder`);
  }
  // A missing folder is made when the file is written. Any other problem is reported when the file is opened.
}

/** Makes the folder of a file, and those above it. Call it just before writing. */
export async function makeParentFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
}

/** Prints with --json the name of the written file; nothing if the file itself goes to standard output. */
export function reportWritten(file: string, bytes: number, { json }: DeviceOptions): void {
  if (json === true && file !== standardOutput) process.stdout.write(`${jsonText({ file, bytes })}\n`);
}
