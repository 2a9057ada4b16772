import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FolderStorage, type Log } from '@azimuth/device';
import {
  DamagedDocument,
  exists,
  firmwareDocument,
  isMissing,
  parametersDocument,
  releaseIn,
  secretDocuments,
} from '@azimuth/device/documents';
import type { Release } from '@azimuth/model';
import { isSending, isSendingAsWritten, type ScannerStore } from '../scanners/scanner-store.js';
import { type FoundRecord, type Header, Journal } from './journal.js';
import { brokenIn, concernedBy, isRight, JournalContents, serialsAtOnce } from './journal-contents.js';
import { type Changes, copyFolder, ScannerStorage } from './scanner-storage.js';

interface Opened {
  readonly journal: Journal;
  readonly folders: readonly string[];
  readonly log: Log;
  /** True if there is a file that says that documents were stored. */
  readonly isMarked: boolean;
  /** True if the store closes its folder when it is closed. */
  readonly closesFolder: boolean;
}

/** The file with the documents of all scanners. */
export const journalName = 'journal';
/**
 * A file beside it, written once a scanner is known. If the journal is missing or empty then, its data is lost, and the store
 * is not new.
 */
export const usedName = 'journal.used';

/** Bytes of replaced documents above which a journal is written anew, if they are also more than half of it. */
const mostOutdated = 16 * 1024 * 1024;

/**
 * Stores the data of all scanners of a fleet. Their documents are in one journal: saves of many scanners share one write to
 * the disk, and the power-ons of thousands are one record. Files (firmware, 3D recordings) are in a folder for each scanner.
 */
export class FleetStore implements ScannerStore {
  readonly #folder: FolderStorage;
  readonly #closesFolder: boolean;
  /** Scanners that have a folder for their files: most have none. */
  readonly #folders: Set<string>;
  readonly #log: Log;
  #journal: Journal;
  readonly #contents = new JournalContents();
  /** Running appends and copies: the journal is written anew when they are done. */
  readonly #underWay = new Set<Promise<unknown>>();
  #compacting: Promise<void> | undefined;
  /** Size of the journal from which it may be written anew again. After a failure, not every append tries it. */
  #compactFrom = 0;
  #isMarked: boolean;

  private constructor(folder: FolderStorage, options: Opened) {
    this.#folder = folder;
    this.#closesFolder = options.closesFolder;
    this.#folders = new Set(options.folders);
    this.#journal = options.journal;
    this.#log = options.log;
    this.#isMarked = options.isMarked;
  }

  /**
   * Opens the folder, or creates it, and locks it for this process.
   * @throws FolderInUse if another process uses it, ForeignJournal
   */
  static async open(path: string, log: Log): Promise<FleetStore> {
    const folder = await FolderStorage.open(path, log);
    try {
      return await FleetStore.#openIn(folder, log, true);
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /**
   * Opens a folder that the caller has locked, and that it closes after the store.
   * @throws ForeignJournal
   */
  static openIn(folder: FolderStorage, log: Log): Promise<FleetStore> {
    return FleetStore.#openIn(folder, log, false);
  }

  static async #openIn(folder: FolderStorage, log: Log, closesFolder: boolean): Promise<FleetStore> {
    const path = folder.folder;
    const records: FoundRecord[] = [];
    const isMarked = await exists(join(path, usedName));
    const journal = await Journal.open(join(path, journalName), (record) => records.push(record));
    try {
      const folders = await readdir(filesIn(path)).catch(ifMissing);
      const store = new FleetStore(folder, { folders, journal, log, closesFolder, isMarked });
      for (const { header, offset, areBytesIntact } of records) {
        store.#contents.apply(
          header,
          offset,
          areBytesIntact ? undefined : await brokenIn(journal, header, offset),
        );
      }
      await store.#repair();
      await store.#mark();
      await store.#markUnmarked();
      return store;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Bytes of the journal. */
  get size(): number {
    return this.#journal.size;
  }

  /** Number of writes of the journal to the disk. */
  get writes(): number {
    return this.#journal.writes;
  }

  /** The storage of one scanner. */
  storageOf(serial: string): ScannerStorage {
    const path = this.#filesOf(serial);
    const hasFolder = this.#folders.has(serial);
    const damage = this.#contents.get(serial)?.damage;
    return new ScannerStorage(this, { serial, path, hasFolder, damage, log: this.#log });
  }

  /** True if a scanner has ever stored anything here. */
  isUsed(serial: string): boolean {
    return (
      this.#contents.isUnsure || this.#folders.has(serial) || this.#contents.get(serial)?.isUsed === true
    );
  }

  /** True if records were lost whose scanners are unknown. */
  get isUnsure(): boolean {
    return this.#contents.isUnsure;
  }

  /** Records that unknown scanners may have been used. On disk when the promise resolves. */
  async setUnsure(isUnsure: boolean): Promise<void> {
    if (isUnsure !== this.#contents.isUnsure) await this.#append({ unsure: isUnsure }, new Uint8Array());
  }

  /** Counts a power-on of these scanners. On disk when the promise resolves: one write for all. */
  async powerOn(serials: readonly string[]): Promise<ReadonlySet<string>> {
    const writes: Promise<void>[] = [];
    for (let at = 0; at < serials.length; at += serialsAtOnce) {
      writes.push(this.#append({ powerOns: serials.slice(at, at + serialsAtOnce) }, new Uint8Array()));
    }
    await Promise.all(writes);
    return new Set(serials);
  }

  /** Returns the power-ons of a scanner that its operating counters do not contain. */
  powerOns(serial: string): number {
    return this.#contents.get(serial)?.powerOns ?? 0;
  }

  sendsFromPowerOn(serial: string): boolean | undefined {
    return this.#contents.get(serial)?.sends;
  }

  release(serial: string): Release | undefined {
    return this.#contents.get(serial)?.release;
  }

  hasCertificates(serial: string): boolean {
    return this.#contents.get(serial)?.documents.has(secretDocuments.certificates) === true;
  }

  /** Scanners that were ever switched on with this store, or have a document in it, by their serial numbers. */
  get serials(): ReadonlySet<string> {
    return new Set(this.#contents.keys());
  }

  /** Scanners that have a folder for their files here, by their serial numbers. */
  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  /**
   * Copies the data of a scanner from another store into this one, which does not know it: its files, then its documents and
   * its power-ons in one record. Before that record is on disk, this store does not know the scanner. Neither may run at the
   * same time.
   */
  async copyFrom(from: FleetStore, serial: string): Promise<void> {
    await this.removeFiles(serial);
    if (from.#folders.has(serial)) {
      await copyFolder(from.#filesOf(serial), this.#filesOf(serial));
      this.folderMade(serial);
    }
    const { header, bytes } = await from.#inThisJournal(() => from.#contents.recordOf(serial, from.#journal));
    await this.#append({ ...header, powerOns: { [serial]: from.powerOns(serial) } }, bytes);
  }

  /** Forgets scanners that another store has. When this is on disk, they are unknown here. Then their files are removed. */
  async forget(serials: readonly string[]): Promise<void> {
    for (let at = 0; at < serials.length; at += serialsAtOnce)
      await this.#append({ moved: serials.slice(at, at + serialsAtOnce) }, new Uint8Array());
    for (const serial of serials) await this.removeFiles(serial);
  }

  /** Removes the files of a scanner that should have none here. */
  async removeFiles(serial: string): Promise<void> {
    if (!this.#folders.delete(serial)) return;
    await rm(this.#filesOf(serial), { recursive: true, force: true });
  }

  folderMade(serial: string): void {
    this.#folders.add(serial);
  }

  /** Returns the names of its documents, including lost ones. */
  names(serial: string): Iterable<string> {
    const scanner = this.#contents.get(serial);
    return scanner === undefined ? [] : [...scanner.documents.keys(), ...scanner.lost];
  }

  /** @throws DamagedDocument if it differs from the written content */
  async read(serial: string, name: string): Promise<Uint8Array | undefined> {
    const bytes = await this.readEvenDamaged(serial, name);
    const scanner = this.#contents.get(serial);
    if (scanner?.lost.has(name) === true)
      throw new DamagedDocument(`${name} of the scanner ${serial} was in a damaged part of the journal`);
    if (bytes !== undefined && !isRight(bytes, scanner?.documents.get(name)?.sum))
      throw new DamagedDocument(`${name} of the scanner ${serial} is damaged in the journal`);
    return bytes;
  }

  /** Reads a document even if it is damaged; undefined if nothing of it is known. */
  async readEvenDamaged(serial: string, name: string): Promise<Uint8Array | undefined> {
    while (this.#compacting !== undefined) await this.#compacting;
    const stored = this.#contents.get(serial)?.documents.get(name);
    return stored === undefined ? undefined : this.#journal.read(stored.offset, stored.length);
  }

  /**
   * Writes and removes documents of a scanner: all of them, or none.
   * @param counted true if its operating counters are among them: they contain all power-ons
   */
  async change(serial: string, changes: Changes, counted = false): Promise<void> {
    const lengths: Record<string, number | null> = {};
    const sums: Record<string, number> = {};
    const contents: Uint8Array[] = [];
    for (const [name, content] of Object.entries(changes)) {
      lengths[name] = content?.length ?? null;
      if (content === undefined) continue;
      sums[name] = crc32(content);
      contents.push(content);
    }
    const firmware = changes[firmwareDocument];
    const header = {
      unit: serial,
      documents: lengths,
      sums,
      sends: parametersDocument in changes ? isSendingAsWritten(changes[parametersDocument]) : undefined,
      release: firmware === undefined ? undefined : releaseIn(firmware),
      counted: counted || undefined,
    };
    await this.#append(header, Buffer.concat(contents));
  }

  /** Gives scanners new credentials, by their serial numbers. No scanner may run at the same time. */
  async resetCredentials(documents: readonly (readonly [string, Uint8Array])[]): Promise<void> {
    await Promise.all(
      documents.map(([serial, document]) => this.change(serial, { [secretDocuments.credentials]: document })),
    );
  }

  async close(): Promise<void> {
    await this.#compacting;
    await this.#journal.close();
    if (this.#closesFolder) await this.#folder.close();
  }

  #filesOf(serial: string): string {
    return join(filesIn(this.#folder.folder), serial);
  }

  async #append(header: Header, bytes: Uint8Array): Promise<void> {
    await this.#inThisJournal(async () => {
      const offset = await this.#journal.append({ header, bytes });
      this.#contents.apply(header, offset);
    });
    await this.#mark();
    this.#compactIfWorthwhile();
  }

  /** Runs an action during which the journal, and the offsets of documents in it, stay the same. */
  async #inThisJournal<T>(act: () => Promise<T>): Promise<T> {
    while (this.#compacting !== undefined) await this.#compacting;
    const acting = act();
    this.#underWay.add(acting);
    try {
      return await acting;
    } finally {
      this.#underWay.delete(acting);
    }
  }

  /** Writes the file that says that a scanner was known. */
  async #mark(): Promise<void> {
    if (this.#isMarked || this.#contents.size === 0) return;
    this.#isMarked = true;
    try {
      await this.#folder.write(usedName, Buffer.from('Scanners have stored something in the journal.\n'));
    } catch (error) {
      // The saved data is on disk. The next save tries again.
      this.#isMarked = false;
      this.#log.warn('The folder of the fleet could not be marked as used', { reason: String(error) });
    }
  }

  /**
   * Repairs a damaged journal: renames it, reports the damage, and continues with a journal of all readable data. Lost
   * documents stay lost until they are written again.
   */
  async #repair(): Promise<void> {
    const { damages, path, isEmpty } = this.#journal;
    if (isEmpty && this.#isMarked) {
      this.#log.error('The journal of the fleet is gone: nobody can log in to its scanners', { path });
      await this.setUnsure(true);
    }
    if (damages.length === 0) return;
    const setAside = await this.#journal.setAside();
    const unknown = damages.filter(({ header }) => header === undefined);
    if (unknown.length > 0) this.#contents.doubt(Math.max(...unknown.map(({ to }) => to)));
    const concerned =
      unknown.length > 0
        ? [...this.#contents.keys()]
        : [...new Set(damages.flatMap(({ header = {} }) => concernedBy(header)))];
    for (const serial of concerned) {
      const scanner = this.#contents.get(serial);
      if (scanner !== undefined)
        scanner.damage = `in the journal of the fleet, which was set aside as ${setAside}`;
    }
    const lost = [...this.#contents].flatMap(([serial, scanner]) =>
      [...scanner.lost].map((name) => `${serial}: ${name}`),
    );
    this.#log.error('The journal of the fleet is damaged', {
      ...{
        path,
        setAside,
        bytes: damages.slice(0, mostListed).map(({ from, to }) => `${from} to ${to - 1}`),
      },
      ...{ scanners: concerned.slice(0, mostListed), lost: lost.slice(0, mostListed) },
      reason: unknown.length > 0 ? 'records are lost, and nobody knows whose: see docs/fleet.md' : undefined,
    });
    await this.#compact().catch((error: unknown) => this.#logNotAnew(error));
  }

  #logNotAnew(error: unknown): void {
    this.#log.error('The journal of the fleet could not be written anew', { reason: String(error) });
  }

  /** Reads documents once if their record does not say whether they make their scanner send, and which release they have. */
  async #markUnmarked(): Promise<void> {
    const sends: Record<string, boolean> = {};
    const release: Record<string, string> = {};
    for (const [serial, { documents, ...known }] of this.#contents) {
      if (known.sends === undefined && documents.has(parametersDocument))
        sends[serial] = isSending(await this.readEvenDamaged(serial, parametersDocument));
      if (known.release !== undefined) continue;
      const firmware = await this.readEvenDamaged(serial, firmwareDocument);
      const stored = firmware === undefined ? undefined : releaseIn(firmware);
      if (stored !== undefined) release[serial] = stored;
    }
    const marks = Object.keys(sends).length + Object.keys(release).length;
    if (marks > 0) await this.#append({ sends, release }, new Uint8Array());
  }

  #compactIfWorthwhile(): void {
    const { size } = this.#journal;
    const outdated = size - this.#contents.current;
    if (outdated < mostOutdated || outdated < size / 2 || size < this.#compactFrom) return;
    this.#compacting ??= this.#compact()
      .catch((error: unknown) => {
        this.#compactFrom = size + mostOutdated;
        this.#logNotAnew(error);
      })
      .finally(() => {
        this.#compacting = undefined;
      });
  }

  async #compact(): Promise<void> {
    // Later appends wait.
    await Promise.allSettled(this.#underWay);
    const records: FoundRecord[] = [];
    this.#journal = await this.#journal.replaced(this.#contents.records(this.#journal), (record) =>
      records.push(record),
    );
    this.#compactFrom = this.#journal.size + mostOutdated;
    for (const { header, offset } of records) this.#contents.apply(header, offset);
  }
}

/** Entries of a list in a line of the log. */
const mostListed = 20;

function filesIn(folder: string): string {
  return join(folder, 'files');
}

function ifMissing(error: unknown): readonly string[] {
  if (isMissing(error)) return [];
  throw error;
}
