import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { asideName, codeOf } from '@azimuth/device/documents';
import {
  encodeHead,
  encodeRecord,
  type FileOffset,
  headBytes,
  type JournalRecord,
  newSalt,
  type Salt,
} from './journal-bytes.js';
import { type Damage, type FoundRecord, type Scanned, scanJournal } from './journal-scan.js';

export type { FileOffset, Header, JournalRecord } from './journal-bytes.js';
export { type Damage, ForeignJournal, type FoundRecord } from './journal-scan.js';

interface Waiting extends JournalRecord {
  readonly done: (offset: FileOffset) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * A file of records that grows at its end. All records that are appended during a write share the next write and its fsync.
 * When `append` resolves, the complete record is on disk. A record that a power cut has torn is removed. Other damage is
 * found when the journal is opened, and the records around it are read.
 */
export class Journal {
  readonly path: string;
  /** Damage that was found when it was opened. */
  readonly damages: readonly Damage[];
  readonly #file: FileHandle;
  readonly #salt: Salt;
  #end: number;
  #waiting: Waiting[] = [];
  #underWay: Promise<void> | undefined;
  #writes = 0;
  /** The error of a failed write. After it, the content of the file is unknown. */
  #broken: unknown;

  private constructor(path: string, file: FileHandle, { salt, end, damages }: Scanned) {
    this.path = path;
    this.damages = damages;
    this.#file = file;
    this.#end = end;
    this.#salt = salt ?? newSalt();
    // Records behind a lost head would never be found.
    if (salt === undefined) this.#broken = new Error(`the head of ${path} is damaged`);
  }

  /**
   * Opens a journal, or creates it, for its owner only.
   * @param each called with every record in it whose header is known
   * @throws ForeignJournal
   */
  static async open(path: string, each: (record: FoundRecord) => void): Promise<Journal> {
    await rm(`${path}.new`, { force: true });
    const file = await open(path, 'a+', 0o600);
    try {
      const scanned = await scanJournal(file, path, each);
      await file.truncate(scanned.end);
      const begun = scanned.end === 0 ? await begin(file) : scanned;
      await file.sync();
      await syncFolder(path);
      return new Journal(path, file, begun);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** True if it has no record. */
  get isEmpty(): boolean {
    return this.#end === headBytes;
  }

  /** Bytes of the file. */
  get size(): number {
    return this.#end;
  }

  /** Number of writes to the disk. */
  get writes(): number {
    return this.#writes;
  }

  /** Appends a record. @returns the offset of its bytes. @throws errors of the system; then it may or may not be on disk */
  append(record: JournalRecord): Promise<FileOffset> {
    return new Promise((done, failed) => {
      this.#waiting.push({ ...record, done, failed });
      this.#underWay ??= this.#writeAll();
    });
  }

  async read(offset: FileOffset, length: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, offset);
    if (bytesRead !== length) throw new Error(`${this.path} ends before byte ${offset + length}`);
    return bytes;
  }

  /**
   * Replaces this journal by one of other records. Nothing may be appended to this one at the same time.
   * @returns the new journal. This one is closed
   * @throws errors of the system. This one continues, unless the new file has replaced it already: then nothing can be
   * appended any more
   */
  async replaced(
    records: Iterable<JournalRecord> | AsyncIterable<JournalRecord>,
    each: (record: FoundRecord) => void,
  ): Promise<Journal> {
    await this.idle();
    const fresh = `${this.path}.new`;
    const file = await open(fresh, 'w', 0o600);
    try {
      const salt = newSalt();
      let at = headBytes;
      await file.appendFile(encodeHead(salt));
      for await (const record of records) {
        const { encoded } = encodeRecord(record, at, salt);
        await file.appendFile(encoded);
        at += encoded.length;
      }
      await file.sync();
      await rename(fresh, this.path);
    } catch (error) {
      // A full disk needs the room.
      await rm(fresh, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    try {
      await syncFolder(this.path);
      const next = await Journal.open(this.path, each);
      await this.#file.close();
      return next;
    } catch (error) {
      // Writes to the replaced file would be lost.
      this.#broken ??= error;
      throw error;
    }
  }

  /**
   * Renames the file, beside the journal that replaces it later.
   * @returns the new name
   */
  async setAside(): Promise<string> {
    const aside = asideName(this.path);
    await link(this.path, aside).catch(async (error: unknown) => {
      if (codeOf(error) === 'EEXIST') throw error;
      // Some file systems have no links.
      await copyFile(this.path, aside, constants.COPYFILE_EXCL);
    });
    await syncFolder(this.path);
    return basename(aside);
  }

  /** Fulfilled when no write is running. */
  async idle(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay;
  }

  async close(): Promise<void> {
    await this.idle();
    await this.#file.close();
  }

  async #writeAll(): Promise<void> {
    // All appends of this pass of the event loop go together.
    await undefined;
    while (this.#waiting.length > 0) {
      const together = this.#waiting;
      this.#waiting = [];
      await this.#write(together);
    }
    this.#underWay = undefined;
  }

  async #write(together: readonly Waiting[]): Promise<void> {
    const start = this.#end;
    try {
      if (this.#broken !== undefined) throw this.#broken;
      const pieces: Buffer[] = [];
      const written: (() => void)[] = [];
      let at = start;
      for (const { done, ...record } of together) {
        const { encoded, offset } = encodeRecord(record, at, this.#salt);
        pieces.push(encoded);
        written.push(() => done(offset));
        at += encoded.length;
      }
      await writeWhole(this.#file, Buffer.concat(pieces));
      await this.#file.datasync();
      this.#writes++;
      this.#end = at;
      for (const resolve of written) resolve();
    } catch (error) {
      await this.#undo(start);
      for (const { failed } of together) failed(error);
    }
  }

  /** Removes the rest of a failed write, for example on a full disk. */
  async #undo(end: number): Promise<void> {
    try {
      await this.#file.truncate(end);
      await this.#file.sync();
    } catch (error) {
      this.#broken ??= error;
    }
  }
}

/** Writes the head of a new journal. */
async function begin(file: FileHandle): Promise<Scanned> {
  const salt = newSalt();
  await writeWhole(file, encodeHead(salt));
  return { salt, end: headBytes, damages: [] };
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
