import { randomBytes } from 'node:crypto';
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';

/** Bytes that wait until they are written. */
const mostWaiting = 2 ** 20;

/**
 * A file that is written from its beginning to its end. Until it is complete, it has a name that no other file has and that ends
 * in `.part`, so that a file of the name itself is never a part of one.
 */
export class WrittenFile {
  readonly #path: string;
  /** The name until it is complete: the same for what is no file, such as /dev/null. */
  readonly #unfinished: string;
  readonly #file: number;
  #isOpen = true;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;

  /** Creates the file, readable for its owner only. @throws the error of the system */
  constructor(path: string) {
    const there = statSync(path, { throwIfNoEntry: false });
    // A link stays, and what it leads to is replaced.
    this.#path = there === undefined ? path : realpathSync(path);
    const isReplaced = there === undefined || there.isFile();
    this.#unfinished = isReplaced ? `${this.#path}.${randomBytes(4).toString('hex')}.part` : this.#path;
    this.#file = openSync(this.#unfinished, isReplaced ? 'wx' : 'w', 0o600);
  }

  /** Written bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  write(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#bytes += bytes.length;
    if (this.#waitingBytes > mostWaiting) this.#writeWaiting();
  }

  /** Writes bytes again that are at the beginning of the file. */
  writeAgain(bytes: Uint8Array): void {
    this.#writeWaiting();
    writeSync(this.#file, bytes, 0, bytes.length, 0);
  }

  /** Writes the rest, and gives the file its name. */
  complete(): void {
    this.#writeWaiting();
    this.#close();
    if (this.#unfinished !== this.#path) renameSync(this.#unfinished, this.#path);
  }

  /** Removes what was written, also after a failure of `complete`. */
  discard(): void {
    this.#close();
    if (this.#unfinished !== this.#path) rmSync(this.#unfinished, { force: true });
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#file);
  }

  #writeWaiting(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }
}
