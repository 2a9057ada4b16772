import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, FolderStorage, type Log, parametersDocument } from '@azimuth/device';
import { isObject } from '@azimuth/model';
import { isSending } from '../units/is-sending.js';
import type { UnitStore } from '../units/unit-store.js';
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
}

/** A journal is written anew when so many bytes, and more than half of it, are of documents that were replaced. */
const mostOutdated = 16 * 1024 * 1024;

/** Serial numbers in a record of power-ons. */
const atOnce = 10_000;

/**
 * What all scanners of a fleet store: their documents in one journal, so that saves of many scanners share one write to the
 * disk, and the power-ons of thousands are one record. Files (firmware, backups) are in a folder for each scanner.
 */
export class FleetStore implements UnitStore {
  readonly #folder: FolderStorage;
  /** Scanners that have a folder for their files: most have none. */
  readonly #folders: Set<string>;
  readonly #log: Log;
  #journal: Journal;
  readonly #units = new Map<string, Unit>();
  /** Bytes of documents that count. */
  #current = 0;
  /** Appends under way: meanwhile, the journal is not written anew. */
  #appending = 0;
  #compacting: Promise<void> | undefined;

  private constructor(folder: FolderStorage, folders: readonly string[], journal: Journal, log: Log) {
    this.#folder = folder;
    this.#folders = new Set(folders);
    this.#journal = journal;
    this.#log = log;
  }

  /**
   * Opens the folder, or creates it, and locks it for this process.
   * @throws FolderInUse if another process uses it, DamagedJournal
   */
  static async open(path: string, log: Log): Promise<FleetStore> {
    const folder = await FolderStorage.open(path, log);
    try {
      const records: [Header, Place][] = [];
      const journal = await Journal.open(join(path, 'journal'), (header, place) =>
        records.push([header, place]),
      );
      const folders = await readdir(filesIn(path)).catch(ifMissing);
      const store = new FleetStore(folder, folders, journal, log);
      for (const [header, place] of records) store.#apply(header, place);
      await store.#markUnmarked();
      return store;
    } catch (error) {
      await folder.close();
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
    const path = join(filesIn(this.#folder.folder), serial);
    return new UnitStorage(this, { serial, path, hasFolder: this.#folders.has(serial), log: this.#log });
  }

  /** Counts that power was switched on at these scanners. On disk when the promise resolves: one write for all. */
  async powerOn(serials: readonly string[]): Promise<void> {
    const writes: Promise<void>[] = [];
    for (let at = 0; at < serials.length; at += atOnce) {
      writes.push(this.#append({ powerOns: serials.slice(at, at + atOnce) }, new Uint8Array()));
    }
    await Promise.all(writes);
  }

  /** Power-ons of a scanner that its operating counters do not contain. */
  powerOns(serial: string): number {
    return this.#units.get(serial)?.powerOns ?? 0;
  }

  sendsFromPowerOn(serial: string): boolean | undefined {
    return this.#units.get(serial)?.sends;
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
    const header = { unit: serial, documents: lengths, ...sends, ...(counted ? { counted } : {}) };
    await this.#append(header, Buffer.concat(contents));
  }

  async close(): Promise<void> {
    await this.#compacting;
    await this.#journal.close();
    await this.#folder.close();
  }

  async #append(header: Header, bytes: Uint8Array): Promise<void> {
    while (this.#compacting !== undefined) await this.#compacting;
    this.#appending++;
    try {
      const place = await this.#journal.append({ header, bytes });
      this.#apply(header, place);
    } finally {
      this.#appending--;
    }
    if (this.#appending === 0) this.#compactIfWorthwhile();
  }

  #apply(header: Header, place: Place): void {
    const { unit, documents, counted, powerOns, sends } = header;
    if (Array.isArray(powerOns)) for (const serial of powerOns) this.#unit(String(serial)).powerOns++;
    if (isObject(powerOns)) {
      for (const [serial, count] of Object.entries(powerOns)) this.#unit(serial).powerOns = Number(count);
    }
    if (isObject(sends)) {
      for (const [serial, does] of Object.entries(sends)) this.#unit(serial).sends = does === true;
    }
    if (typeof unit !== 'string' || !isObject(documents)) return;
    const known = this.#unit(unit);
    if (counted === true) known.powerOns = 0;
    if (typeof sends === 'boolean') known.sends = sends;
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

  /** Looks once at parameters whose record does not say whether they make their scanner send. */
  async #markUnmarked(): Promise<void> {
    const sends: Record<string, boolean> = {};
    for (const [serial, { documents, sends: known }] of this.#units) {
      if (known !== undefined || !documents.has(parametersDocument)) continue;
      sends[serial] = isSending(await this.read(serial, parametersDocument));
    }
    if (Object.keys(sends).length > 0) await this.#append({ sends }, new Uint8Array());
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
    const outdated = this.#journal.size - this.#current;
    if (outdated < mostOutdated || outdated < this.#journal.size / 2 || this.#compacting !== undefined)
      return;
    this.#compacting = this.#compact()
      .catch((error: unknown) =>
        this.#log.error('The journal of the fleet could not be written anew', { reason: String(error) }),
      )
      .finally(() => {
        this.#compacting = undefined;
      });
  }

  async #compact(): Promise<void> {
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
    for (const [serial, { documents, sends }] of this.#units) {
      if (documents.size === 0) continue;
      const lengths: Record<string, number> = {};
      const contents: Uint8Array[] = [];
      for (const [name, { place, length }] of documents) {
        lengths[name] = length;
        contents.push(await this.#journal.read(place, length));
      }
      yield { header: { unit: serial, documents: lengths, sends }, bytes: Buffer.concat(contents) };
    }
  }
}

function filesIn(folder: string): string {
  return join(folder, 'files');
}

function ifMissing(error: unknown): readonly string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}
