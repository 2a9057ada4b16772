import { createHash } from 'node:crypto';
import { Mutex } from '@azimuth/async';
import { isObject } from '@azimuth/model';
import type { Log, Storage } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { checkedFiles, checksumsDocument, storedNames, UnreadableDocument } from './document.js';
import type { Documents } from './documents.js';
import { isOfDocument, LinkInPlace, reasonOf } from './storage-failure.js';

const loss = 'The checksums of the stored files are lost; the files are taken as they are';
const lostChecksums = 'lost checksums of files';

/** Replaces the checksum of a file that the storage itself has found damaged. */
const unreadable = '';

/** SHA-256 in hex: of the present file, and before a replacement also of the new one. */
type Checksums = readonly string[];

interface Opened {
  readonly documents: Documents;
  readonly conditions: Conditions;
}

/**
 * A storage with checksums of files that are not documents: backups, firmware, point clouds and archives consist of the
 * bytes of others. `files.json` gets the checksum of a file before the file is in its place, so no file is without one
 * after a power cut. Files are checked right after the start, in parallel to everything else. A reader of a file waits
 * for its check.
 */
export class CheckedStorage implements Storage {
  readonly #storage: Storage;
  readonly #log: Log;
  #opened: Opened | undefined;
  readonly #checksums = new Map<string, Checksums>();
  readonly #checks = new Map<string, Promise<void>>();
  readonly #mutex = new Mutex();
  #closed = false;

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** Reads the checksums, and begins to check the files. */
  async open(documents: Documents, conditions: Conditions): Promise<void> {
    this.#opened = { documents, conditions };
    const found = await documents.find(checksumsDocument, loss, checksumsIn);
    conditions.setLost(lostChecksums, found.state === 'lost');
    if (found.state !== 'whole') return;
    for (const [file, sums] of found.content) this.#checksums.set(file, sums);
    // Problems are reported. A reader of an unreadable file gets the error.
    for (const [file] of found.content) void this.#checked(file).catch(() => undefined);
  }

  get damage(): string | undefined {
    return this.#storage.damage;
  }

  /** A storage without an answer counts as used if it has a document, or one that cannot be read. */
  async isUsed(): Promise<boolean> {
    if (this.#storage.isUsed !== undefined) return this.#storage.isUsed();
    const isStored = (file: string) =>
      this.#storage.read(file).then(
        (found) => found !== undefined,
        () => true,
      );
    for (const file of storedNames) if (await isStored(file)) return true;
    return false;
  }

  async read(file: string): Promise<Uint8Array | undefined> {
    await this.#checked(file);
    return this.#storage.read(file);
  }

  async pieces(file: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    await this.#checked(file);
    return this.#storage.pieces(file);
  }

  async write(file: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void> {
    if (!isChecked(file)) return this.#storage.write(file, content, options);
    await this.#whenChecked(file);
    const checksum = createHash('sha256').update(content).digest('hex');
    await this.#expect(file, checksum);
    await this.#storage.write(file, content, options);
    this.#replaced(file, checksum);
  }

  async receive(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    if (!isChecked(file)) return this.#storage.receive(file, pieces);
    await this.#whenChecked(file);
    const hash = createHash('sha256');
    let checksum = '';
    const expect = this.#expect.bind(this);
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
      checksum = hash.digest('hex');
      await expect(file, checksum);
    }
    await this.#storage.receive(file, hashed());
    this.#replaced(file, checksum);
  }

  /** Remembers the checksums. The files are put back by the owner of the storage. */
  remember(): () => void {
    const checksums = [...this.#checksums];
    return () => {
      this.#checksums.clear();
      for (const [file, sums] of checksums) this.#checksums.set(file, sums);
    };
  }

  remove(file: string): Promise<void> {
    return this.#storage.remove(file);
  }

  setAside(file: string): Promise<string> {
    return this.#storage.setAside(file);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#checks.values());
    await this.#storage.close();
  }

  /** Waits for the check of a file. */
  #checked(file: string): Promise<void> {
    if (!isChecked(file) || this.#opened === undefined) return Promise.resolve();
    let check = this.#checks.get(file);
    if (check === undefined) {
      check = this.#check(file, this.#opened).catch((error: unknown) => {
        this.#checks.delete(file);
        throw error;
      });
      this.#checks.set(file, check);
    }
    return check;
  }

  /** Called before a file is replaced: problems of the old one are reported, and then no longer matter. */
  async #whenChecked(file: string): Promise<void> {
    await this.#checked(file).catch(() => undefined);
  }

  async #check(file: string, opened: Opened): Promise<void> {
    const { conditions } = opened;
    const found = await this.#checksumOf(file).catch((error: unknown) => {
      // The reader decides about a link in its place.
      if (error instanceof LinkInPlace) return undefined;
      if (isOfDocument(error)) return unreadable;
      conditions.setLost(damaged(file), true);
      this.#log.error('A stored file cannot be read', { document: file, reason: reasonOf(error) });
      throw error;
    });
    conditions.setLost(damaged(file), false);
    if (found === undefined) return;
    const expected = this.#checksums.get(file);
    if (expected?.includes(found) === true) return;
    // A file that a person has put there has no checksum yet.
    if (expected === undefined && found !== unreadable) await this.#expect(file, found);
    else await this.#setAside(file, opened);
  }

  async #setAside(file: string, { documents, conditions }: Opened): Promise<void> {
    const reason = 'its bytes are not those that were written';
    conditions.setLost(damaged(file), true);
    try {
      const setAside = await this.#storage.setAside(file);
      documents.recordLost({ document: file, setAside });
      this.#log.error('A stored file is damaged', { document: file, setAside, reason });
    } catch (error) {
      documents.recordLost({ document: file, setAside: undefined });
      this.#log.error('A stored file is damaged', {
        ...{ document: file, setAside: `not possible: ${reasonOf(error)}`, reason },
      });
      // Nobody gets its bytes.
      throw error;
    }
  }

  /** The checksum of a file. Undefined if there is none. */
  async #checksumOf(file: string): Promise<string | undefined> {
    const pieces = await this.#storage.pieces(file);
    if (pieces === undefined) return undefined;
    const hash = createHash('sha256');
    for await (const piece of pieces) {
      if (this.#closed) return undefined;
      hash.update(piece);
    }
    return hash.digest('hex');
  }

  /** Permits another checksum of a file. On disk when the promise resolves. */
  async #expect(file: string, checksum: string): Promise<void> {
    await this.#mutex.run(async () => {
      const now = this.#checksums.get(file) ?? [];
      if (now.includes(checksum)) return;
      const content = Object.fromEntries([...this.#checksums, [file, [...now, checksum]]]);
      await this.#opened?.documents.write(checksumsDocument, { sums: content });
      this.#checksums.set(file, [...now, checksum]);
    });
  }

  #replaced(file: string, checksum: string): void {
    this.#checksums.set(file, [checksum]);
    this.#opened?.conditions.setLost(damaged(file), false);
  }
}

function damaged(file: string): string {
  return `damaged file ${file}`;
}

function isChecked(file: string): boolean {
  return checkedFiles.some((checked) => checked === file);
}

function checksumsIn({ sums }: Record<string, unknown>): ReadonlyMap<string, Checksums> {
  if (!isObject(sums)) throw new UnreadableDocument('expected checksums of files');
  return new Map(
    Object.entries(sums).map(([file, of]) => {
      if (!isChecked(file) || !Array.isArray(of)) throw new UnreadableDocument('expected checksums of files');
      return [file, of.map(String)];
    }),
  );
}
