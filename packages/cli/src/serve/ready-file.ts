import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { CommandFailure, systemErrorText } from '../command-failure.js';

/**
 * The file of `--ready-file`. It exists from when the scanner is ready until the process ends. A program that waits
 * for it never reads an incomplete file, nor that of an earlier process.
 */
export class ReadyFile {
  readonly #path: string;
  readonly #unfinished: string;
  #line = '';

  /**
   * Removes the file of an earlier process, and checks if a new one can be written.
   * @throws CommandFailure if it cannot
   */
  constructor(path: string) {
    this.#path = path;
    this.#unfinished = `${path}.${randomBytes(4).toString('hex')}.part`;
    this.#attempt(() => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      // A pipe or a device would be replaced by a file.
      if (stats !== undefined && !stats.isFile())
        throw new CommandFailure(`--ready-file ${path}: there is already something that is no regular file`);
      writeFileSync(this.#unfinished, '', { flag: 'wx' });
      rmSync(this.#unfinished);
      rmSync(path, { force: true });
    });
    process.once('exit', () => this.#remove());
  }

  /** @throws CommandFailure if it cannot be written */
  write(line: string): void {
    this.#attempt(() => {
      writeFileSync(this.#unfinished, line, { flag: 'wx' });
      renameSync(this.#unfinished, this.#path);
    });
    this.#line = line;
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      throw new CommandFailure(
        `--ready-file ${this.#path} cannot be written: ${systemErrorText(error)}`,
        'refused',
      );
    }
  }

  /** Removes the file, unless a scanner that was started later has replaced it. */
  #remove(): void {
    try {
      rmSync(this.#unfinished, { force: true });
      if (this.#line !== '' && readFileSync(this.#path, 'utf8') === this.#line) rmSync(this.#path);
    } catch {
      // The file or its folder was removed by somebody.
    }
  }
}
