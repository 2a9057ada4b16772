import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtOnce } from './written-file.js';

/** A folder with a file for each scanner, for its owner only. A file is replaced at once. */
export class ScannerFiles {
  readonly folder: string;
  readonly #extension: string;

  /** @param extension with its dot */
  constructor(folder: string, extension: string) {
    this.folder = folder;
    this.#extension = extension;
  }

  /** Undefined if there is none. @throws errors of the system */
  async read(scanner: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.pathOf(scanner));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Resolves when the content is on disk. @throws errors of the system */
  async replace(scanner: string, content: string | Buffer): Promise<void> {
    await writeAtOnce(this.pathOf(scanner), Buffer.from(content));
  }

  /** Names may have any characters. The hash keeps names apart that look the same as the name of a file. */
  pathOf(scanner: string): string {
    const readable = scanner.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
    const hash = createHash('sha256').update(scanner).digest('hex').slice(0, 8);
    return join(this.folder, `${readable}-${hash}${this.#extension}`);
  }
}
