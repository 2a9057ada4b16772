import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { isObject } from '@azimuth/model';

/** What a record says about its bytes. JSON. */
export type Header = Readonly<Record<string, unknown>>;

/** A record: what it says, and the documents in it, one after the other. */
export interface JournalRecord {
  readonly header: Header;
  readonly bytes: Uint8Array;
}

/** Where the bytes of a record stand in the file. */
export type Place = number;

/** Bytes before each record: length of the payload, CRC-32 of the payload, length of its header. Little endian. */
const preamble = 12;
/** A record that claims to be longer is damaged. */
const longestRecord = 256 * 1024 * 1024;
/** Bytes that are read at once when a journal is opened. */
const readAtOnce = 1024 * 1024;

/** The journal has a damaged record that is not its last one: what stands behind it cannot be trusted. */
export class DamagedJournal extends Error {
  override readonly name = 'DamagedJournal';
}

interface Waiting extends JournalRecord {
  readonly done: (place: Place) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * A file of records that grows at its end. All records that are appended while one write is under way share the next one
 * and its fsync. A record is on disk, whole, when `append` resolves. Of a record that a power cut has torn, nothing remains.
 */
export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  #end: number;
  #waiting: Waiting[] = [];
  #underWay: Promise<void> | undefined;
  #writes = 0;
  /** After a write that failed, nobody knows how far the file can be trusted. */
  #broken: unknown;

  private constructor(path: string, file: FileHandle, end: number) {
    this.path = path;
    this.#file = file;
    this.#end = end;
  }

  /**
   * Opens a journal, or creates it, for its owner only.
   * @param each is called with every record in it, and where its bytes stand
   * @throws DamagedJournal
   */
  static async open(path: string, each: (header: Header, place: Place) => void): Promise<Journal> {
    await rm(`${path}.new`, { force: true });
    const file = await open(path, 'a+', 0o600);
    try {
      const end = await scan(file, path, each);
      await file.truncate(end);
      await file.sync();
      await syncFolder(path);
      return new Journal(path, file, end);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Bytes of the file. */
  get size(): number {
    return this.#end;
  }

  /** How often it has written to the disk, and waited for it. */
  get writes(): number {
    return this.#writes;
  }

  /** @returns where the bytes of the record stand. @throws errors of the system; then it may or may not be on disk */
  append(record: JournalRecord): Promise<Place> {
    return new Promise((done, failed) => {
      this.#waiting.push({ ...record, done, failed });
      this.#underWay ??= this.#writeAll();
    });
  }

  async read(place: Place, length: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, place);
    if (bytesRead !== length) throw new Error(`${this.path} ends before byte ${place + length}`);
    return bytes;
  }

  /**
   * A journal of other records in place of this one. Nothing may be appended to this one meanwhile.
   * @returns the new journal. This one is closed
   * @throws errors of the system. This one goes on, unless the other one is in its place already: then nothing is appended any more
   */
  async replaced(
    records: Iterable<JournalRecord> | AsyncIterable<JournalRecord>,
    each: (header: Header, place: Place) => void,
  ): Promise<Journal> {
    await this.idle();
    const fresh = `${this.path}.new`;
    const file = await open(fresh, 'w', 0o600);
    try {
      for await (const record of records) await file.appendFile(framed(record));
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
      // Nobody would find what is written to the file that was replaced.
      this.#broken ??= error;
      throw error;
    }
  }

  /** Fulfilled when nothing is being written. */
  async idle(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay;
  }

  async close(): Promise<void> {
    await this.idle();
    await this.#file.close();
  }

  async #writeAll(): Promise<void> {
    // All that is appended in this pass of the event loop goes together.
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
      const pieces = together.map(framed);
      const all = Buffer.concat(pieces);
      await writeWhole(this.#file, all);
      await this.#file.datasync();
      this.#writes++;
      let at = start;
      for (const [index, { done, bytes }] of together.entries()) {
        at += pieces[index]?.length ?? 0;
        done(at - bytes.length);
      }
      this.#end = at;
    } catch (error) {
      await this.#undo(start);
      for (const { failed } of together) failed(error);
    }
  }

  /** Takes back what a write has left of itself, as on a full disk. */
  async #undo(end: number): Promise<void> {
    try {
      await this.#file.truncate(end);
      await this.#file.sync();
    } catch (error) {
      this.#broken ??= error;
    }
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}

function framed({ header, bytes }: JournalRecord): Buffer {
  const head = Buffer.from(JSON.stringify(header));
  const record = Buffer.alloc(preamble + head.length + bytes.length);
  head.copy(record, preamble);
  record.set(bytes, preamble + head.length);
  record.writeUInt32LE(head.length + bytes.length, 0);
  record.writeUInt32LE(head.length, 8);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}

/** @returns the end of the last whole record */
async function scan(
  file: FileHandle,
  path: string,
  each: (header: Header, place: Place) => void,
): Promise<number> {
  const { size } = await file.stat();
  let at = 0;
  /** Bytes of the file from `at` on. */
  let ahead = Buffer.alloc(0);
  const atLeast = async (bytes: number): Promise<boolean> => {
    if (ahead.length >= bytes) return true;
    if (at + bytes > size) return false;
    const more = Buffer.alloc(Math.min(size - at - ahead.length, Math.max(bytes - ahead.length, readAtOnce)));
    const { bytesRead } = await file.read(more, 0, more.length, at + ahead.length);
    ahead = Buffer.concat([ahead, more.subarray(0, bytesRead)]);
    return ahead.length >= bytes;
  };
  while (await atLeast(preamble)) {
    const length = ahead.readUInt32LE(0);
    const headLength = ahead.readUInt32LE(8);
    const whole = preamble + length;
    const isPossible = length <= longestRecord && headLength <= length;
    if (!isPossible || !(await atLeast(whole)) || ahead.readUInt32LE(4) !== crc32(ahead.subarray(8, whole))) {
      // A power cut has torn the last record, or has come before the file had more than its new length. Nobody was told that it is
      // on disk.
      if ((isPossible && at + whole >= size) || (await isZero(file, at, size))) return at;
      throw damaged(path, at);
    }
    const header = headerOf(ahead.subarray(preamble, preamble + headLength));
    if (header === undefined) throw damaged(path, at);
    each(header, at + preamble + headLength);
    ahead = ahead.subarray(whole);
    at += whole;
  }
  return at;
}

/** Are there only zeros between these two places? */
async function isZero(file: FileHandle, from: number, to: number): Promise<boolean> {
  const piece = Buffer.alloc(readAtOnce);
  for (let at = from; at < to; ) {
    const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, to - at), at);
    if (bytesRead === 0 || piece.subarray(0, bytesRead).some((byte) => byte !== 0)) return false;
    at += bytesRead;
  }
  return true;
}

function headerOf(bytes: Uint8Array): Header | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function damaged(path: string, at: number): DamagedJournal {
  return new DamagedJournal(
    `${path} is damaged at byte ${at}: the records from there on cannot be read. Move the file away, or restore it from a copy`,
  );
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
