import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  codeOf,
  FolderStorage,
  firmwareDocument,
  type Log,
  parametersDocument,
  releaseIn,
  secretDocuments,
} from '@azimuth/device';
import { isObject, type Release, releases } from '@azimuth/model';
import { isSending } from '../units/is-sending.js';
import type { UnitStore } from '../units/unit-store.js';
import { copyFolder } from './copy-folder.js';
import { type Header, Journal, type JournalRecord, type Place } from './journal.js';
import { type Changes, UnitStorage } from './unit-storage.js';

/** A document in the journal. */
interface Stored {
  readonly place: Place;
  readonly length: number;
}

/** What is known of one scanner. */
interface Unit {
  readonly documents: Map<string, Stored>;
  /** Power-ons since its operating counters were written last. */
  powerOns: number;
  /** Do its stored parameters make it send from its power-on on? In each record with its parameters. */
  sends?: boolean;
  /** The release that it has stored. In each record with it. */
  release?: Release | undefined;
}

interface Opened {
  readonly journal: Journal;
  readonly folders: readonly string[];
  readonly log: Log;
  /** Does the store close its folder when it is closed? */
  readonly closesFolder: boolean;
}

/** The file with the documents of all scanners. */
export const journalName = 'journal';

/** A journal is written anew when so many bytes, and more than half of it, are of documents that were replaced. */
const mostOutdated = 16 * 1024 * 1024;

/** Serial numbers in a record of power-ons. */
const atOnce = 10_000;

/**
 * What all scanners of a fleet store: their documents in one journal, so that saves of many scanners share one write to the
 * disk, and the power-ons of thousands are one record. Files (firmware, 3D recordings) are in a folder for each scanner.
 */
export class FleetStore implements UnitStore {
  readonly #folder: FolderStorage;
  readonly #closesFolder: boolean;
  /** Scanners that have a folder for their files: most have none. */
  readonly #folders: Set<string>;
  readonly #log: Log;
  #journal: Journal;
  readonly #units = new Map<string, Unit>();
  /** Bytes of documents that count. */
  #current = 0;
  /** Appends under way: the journal is written anew when they are done. */
  readonly #appending = new Set<Promise<unknown>>();
  #compacting: Promise<void> | undefined;
  /** Bytes of the journal from which on it may be written anew once more: what has failed is not tried at each append. */
  #compactFrom = 0;

  private constructor(folder: FolderStorage, options: Opened) {
    this.#folder = folder;
    this.#closesFolder = options.closesFolder;
    this.#folders = new Set(options.folders);
    this.#journal = options.journal;
    this.#log = options.log;
  }

  /**
   * Opens the folder, or creates it, and locks it for this process.
   * @throws FolderInUse if another process uses it, DamagedJournal
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
   * The same in a folder that the caller has locked, and that it closes after the store.
   * @throws DamagedJournal
   */
  static openIn(folder: FolderStorage, log: Log): Promise<FleetStore> {
    return FleetStore.#openIn(folder, log, false);
  }

  static async #openIn(folder: FolderStorage, log: Log, closesFolder: boolean): Promise<FleetStore> {
    const path = folder.folder;
    const records: [Header, Place][] = [];
    const journal = await Journal.open(join(path, journalName), (header, place) =>
      records.push([header, place]),
    );
    try {
      const folders = await readdir(filesIn(path)).catch(ifMissing);
      const store = new FleetStore(folder, { folders, journal, log, closesFolder });
      for (const [header, place] of records) store.#apply(header, place);
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

  /** How often the journal has waited for the disk. */
  get writes(): number {
    return this.#journal.writes;
  }

  /** The storage of one scanner. */
  unit(serial: string): UnitStorage {
    const path = this.#filesOf(serial);
    return new UnitStorage(this, { serial, path, hasFolder: this.#folders.has(serial), log: this.#log });
  }

  /** Counts that power was switched on at these scanners. On disk when the promise resolves: one write for all. */
  async powerOn(serials: readonly string[]): Promise<ReadonlySet<string>> {
    const writes: Promise<void>[] = [];
    for (let at = 0; at < serials.length; at += atOnce) {
      writes.push(this.#append({ powerOns: serials.slice(at, at + atOnce) }, new Uint8Array()));
    }
    await Promise.all(writes);
    return new Set(serials);
  }

  /** Power-ons of a scanner that its operating counters do not contain. */
  powerOns(serial: string): number {
    return this.#units.get(serial)?.powerOns ?? 0;
  }

  sendsFromPowerOn(serial: string): boolean | undefined {
    return this.#units.get(serial)?.sends;
  }

  release(serial: string): Release | undefined {
    return this.#units.get(serial)?.release;
  }

  hasCertificates(serial: string): boolean {
    return this.#units.get(serial)?.documents.has(secretDocuments.certificates) === true;
  }

  /** Scanners that were ever switched on with this store, or have a document in it, by their serial numbers. */
  get serials(): ReadonlySet<string> {
    return new Set(this.#units.keys());
  }

  /** Scanners that have a folder for their files here, by their serial numbers. */
  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  /**
   * Copies what another store knows of a scanner into this one, which does not know it: its files, then its documents and its
   * power-ons in one record. Before that record is on disk, this store does not know the scanner. Neither may run meanwhile.
   */
  async copyFrom(from: FleetStore, serial: string): Promise<void> {
    await this.removeFiles(serial);
    if (from.#folders.has(serial)) {
      await copyFolder(from.#filesOf(serial), this.#filesOf(serial));
      this.folderMade(serial);
    }
    const { documents, powerOns, sends, release } = from.#unit(serial);
    const lengths: Record<string, number> = {};
    const contents: Uint8Array[] = [];
    for (const [name, { length }] of documents) {
      lengths[name] = length;
      contents.push((await from.read(serial, name)) ?? new Uint8Array());
    }
    const header = { unit: serial, documents: lengths, powerOns: { [serial]: powerOns }, sends, release };
    await this.#append(header, Buffer.concat(contents));
  }

  /** Forgets scanners that another store has: they are unknown here when that is on disk. Then their files are removed. */
  async forget(serials: readonly string[]): Promise<void> {
    for (let at = 0; at < serials.length; at += atOnce)
      await this.#append({ moved: serials.slice(at, at + atOnce) }, new Uint8Array());
    for (const serial of serials) await this.removeFiles(serial);
  }

  /** Removes the files of a scanner that has none here, or none any more. */
  async removeFiles(serial: string): Promise<void> {
    if (!this.#folders.delete(serial)) return;
    await rm(this.#filesOf(serial), { recursive: true, force: true });
  }

  folderMade(serial: string): void {
    this.#folders.add(serial);
  }

  names(serial: string): Iterable<string> {
    return this.#units.get(serial)?.documents.keys() ?? [];
  }

  async read(serial: string, name: string): Promise<Uint8Array | undefined> {
    while (this.#compacting !== undefined) await this.#compacting;
    const stored = this.#units.get(serial)?.documents.get(name);
    return stored === undefined ? undefined : this.#journal.read(stored.place, stored.length);
  }

  /**
   * Writes and removes documents of a scanner: all of them, or none.
   * @param counted whether its operating counters are among them: they contain all power-ons
   */
  async change(serial: string, changes: Changes, counted = false): Promise<void> {
    const lengths: Record<string, number | null> = {};
    const contents: Uint8Array[] = [];
    for (const [name, content] of Object.entries(changes)) {
      lengths[name] = content?.length ?? null;
      if (content !== undefined) contents.push(content);
    }
    const sends = parametersDocument in changes ? { sends: isSending(changes[parametersDocument]) } : {};
    const firmware = changes[firmwareDocument];
    const release = firmware === undefined ? {} : { release: releaseIn(firmware) };
    const header = {
      unit: serial,
      documents: lengths,
      ...sends,
      ...release,
      ...(counted ? { counted } : {}),
    };
    await this.#append(header, Buffer.concat(contents));
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
    while (this.#compacting !== undefined) await this.#compacting;
    const appending = this.#journal.append({ header, bytes }).then((place) => this.#apply(header, place));
    this.#appending.add(appending);
    try {
      await appending;
    } finally {
      this.#appending.delete(appending);
    }
    this.#compactIfWorthwhile();
  }

  #apply(header: Header, place: Place): void {
    const { unit, documents, counted, powerOns, sends, release, moved } = header;
    if (Array.isArray(moved)) for (const serial of moved) this.#drop(String(serial));
    if (Array.isArray(powerOns)) for (const serial of powerOns) this.#unit(String(serial)).powerOns++;
    if (isObject(powerOns)) {
      for (const [serial, count] of Object.entries(powerOns)) this.#unit(serial).powerOns = Number(count);
    }
    if (isObject(sends)) {
      for (const [serial, does] of Object.entries(sends)) this.#unit(serial).sends = does === true;
    }
    if (isObject(release)) {
      for (const [serial, name] of Object.entries(release)) this.#unit(serial).release = releaseNamed(name);
    }
    if (typeof unit !== 'string' || !isObject(documents)) return;
    const known = this.#unit(unit);
    if (counted === true) known.powerOns = 0;
    if (typeof sends === 'boolean') known.sends = sends;
    if (typeof release === 'string') known.release = releaseNamed(release);
    let at = place;
    for (const [name, length] of Object.entries(documents)) {
      this.#current -= known.documents.get(name)?.length ?? 0;
      known.documents.delete(name);
      if (typeof length !== 'number') continue;
      known.documents.set(name, { place: at, length });
      this.#current += length;
      at += length;
    }
  }

  #drop(serial: string): void {
    for (const { length } of this.#units.get(serial)?.documents.values() ?? []) this.#current -= length;
    this.#units.delete(serial);
  }

  /** Looks once at documents whose record does not say whether they make their scanner send, and which release they have. */
  async #markUnmarked(): Promise<void> {
    const sends: Record<string, boolean> = {};
    const release: Record<string, string> = {};
    for (const [serial, { documents, ...known }] of this.#units) {
      if (known.sends === undefined && documents.has(parametersDocument))
        sends[serial] = isSending(await this.read(serial, parametersDocument));
      if (known.release !== undefined) continue;
      const firmware = await this.read(serial, firmwareDocument);
      const found = firmware === undefined ? undefined : releaseIn(firmware);
      if (found !== undefined) release[serial] = found;
    }
    const marks = Object.keys(sends).length + Object.keys(release).length;
    if (marks > 0) await this.#append({ sends, release }, new Uint8Array());
  }

  #unit(serial: string): Unit {
    let unit = this.#units.get(serial);
    if (unit === undefined) {
      unit = { documents: new Map(), powerOns: 0 };
      this.#units.set(serial, unit);
    }
    return unit;
  }

  #compactIfWorthwhile(): void {
    const { size } = this.#journal;
    const outdated = size - this.#current;
    if (outdated < mostOutdated || outdated < size / 2 || size < this.#compactFrom) return;
    this.#compacting ??= this.#compact()
      .catch((error: unknown) => {
        this.#compactFrom = size + mostOutdated;
        this.#log.error('The journal of the fleet could not be written anew', { reason: String(error) });
      })
      .finally(() => {
        this.#compacting = undefined;
      });
  }

  async #compact(): Promise<void> {
    // Those that come from now on wait.
    await Promise.allSettled(this.#appending);
    const places = new Map<string, Map<string, Stored>>();
    const journal = await this.#journal.replaced(this.#records(), ({ unit, documents }, place) => {
      if (typeof unit !== 'string' || !isObject(documents)) return;
      let at = place;
      const moved = new Map<string, Stored>();
      for (const [name, length] of Object.entries(documents)) {
        moved.set(name, { place: at, length: Number(length) });
        at += Number(length);
      }
      places.set(unit, moved);
    });
    this.#journal = journal;
    for (const [serial, moved] of places) {
      const unit = this.#unit(serial);
      unit.documents.clear();
      for (const [name, stored] of moved) unit.documents.set(name, stored);
    }
  }

  async *#records(): AsyncGenerator<JournalRecord> {
    const powerOns = [...this.#units].filter(([, unit]) => unit.powerOns > 0);
    for (let at = 0; at < powerOns.length; at += atOnce) {
      const counts = powerOns.slice(at, at + atOnce).map(([serial, unit]) => [serial, unit.powerOns]);
      yield { header: { powerOns: Object.fromEntries(counts) }, bytes: new Uint8Array() };
    }
    for (const [serial, { documents, sends, release }] of this.#units) {
      if (documents.size === 0) continue;
      const lengths: Record<string, number> = {};
      const contents: Uint8Array[] = [];
      for (const [name, { place, length }] of documents) {
        lengths[name] = length;
        contents.push(await this.#journal.read(place, length));
      }
      yield { header: { unit: serial, documents: lengths, sends, release }, bytes: Buffer.concat(contents) };
    }
  }
}

function filesIn(folder: string): string {
  return join(folder, 'files');
}

/** The same text for all that run it. */
function releaseNamed(name: unknown): Release | undefined {
  return releases.find((release) => release === name);
}

function ifMissing(error: unknown): readonly string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}
