import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from '@azimuth/telegrams';

/** Bytes that are read at a time. */
const windowBytes = 2 ** 20;

/** A file of any size as a source of bytes. It is read as far as it is needed, 1 MiB or one part at a time. */
export class FileSource implements ByteSource {
  readonly length: number;
  readonly #file: number;
  #window: Uint8Array = new Uint8Array();
  #windowAt = 0;

  private constructor(file: number, length: number) {
    this.#file = file;
    this.length = length;
  }

  /** Opens a file. @throws the error of the system; RangeError for what is not a file */
  static open(path: string): FileSource {
    const file = openSync(path, 'r');
    const stats = fstatSync(file);
    if (stats.isFile()) return new FileSource(file, stats.size);
    closeSync(file);
    throw new RangeError(`${path} is not a file`);
  }

  part(start: number, end: number): Uint8Array {
    const last = Math.min(end, this.length);
    if (start >= last) return new Uint8Array();
    const at = start - this.#windowAt;
    if (at >= 0 && last - this.#windowAt <= this.#window.length) {
      return this.#window.subarray(at, last - this.#windowAt);
    }
    // Parts that were returned are views of the window before: it is not written again.
    this.#window = this.#read(start, Math.min(this.length, Math.max(last, start + windowBytes)));
    this.#windowAt = start;
    return this.#window.subarray(0, last - start);
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start);
    let count = 0;
    while (count < bytes.length) {
      const read = readSync(this.#file, bytes, count, bytes.length - count, start + count);
      if (read === 0) break;
      count += read;
    }
    return bytes.subarray(0, count);
  }
}
