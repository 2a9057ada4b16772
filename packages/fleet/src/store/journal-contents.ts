import { parametersDocument, secretDocuments } from '@azimuth/device';
import { isObject, type Release, releases } from '@azimuth/model';
import type { Header, Place } from './journal.js';

/** A document in the journal. */
interface Stored {
  readonly place: Place;
  readonly length: number;
  /** CRC-32; undefined for a record without it. */
  readonly sum: number | undefined;
}

/** What is known of one scanner. */
interface Unit {
  readonly documents: Map<string, Stored>;
  /** Documents that were in a damaged part of the journal. */
  readonly lost: Set<string>;
  /** What was found damaged, until its parameters are saved again. */
  damage?: string | undefined;
  /** Has it ever stored a document? */
  isUsed: boolean;
  /** Power-ons since its operating counters were written last. */
  powerOns: number;
  /** Do its stored parameters make it send from its power-on on? In each record with its parameters. */
  sends?: boolean;
  /** The release that it has stored. In each record with it. */
  release?: Release | undefined;
}

const none: ReadonlySet<string> = new Set();

/** What the records of a journal say of its scanners, by their serial numbers. */
export class JournalContents extends Map<string, Unit> {
  /** Bytes of documents that count. */
  current = 0;
  /** Records were lost, and nobody knows whose: a scanner that is not known may have had some. */
  isUnsure = false;

  /** A scanner, which is known from now on. */
  known(serial: string): Unit {
    let unit = this.get(serial);
    if (unit === undefined) {
      unit = { documents: new Map(), lost: new Set(), isUsed: false, powerOns: 0 };
      this.set(serial, unit);
    }
    return unit;
  }

  /**
   * Takes a record into account, after those before it.
   * @param broken documents of the record that are not what was written
   */
  apply(header: Header, place: Place, broken: ReadonlySet<string> = none): void {
    const { powerOns, sends, release, moved, unsure } = header;
    if (typeof unsure === 'boolean') this.isUnsure = unsure;
    if (Array.isArray(moved)) for (const serial of moved) this.#drop(String(serial));
    if (Array.isArray(powerOns)) for (const serial of powerOns) this.known(String(serial)).powerOns++;
    if (isObject(powerOns)) {
      for (const [serial, count] of Object.entries(powerOns)) this.known(serial).powerOns = Number(count);
    }
    if (isObject(sends)) {
      for (const [serial, does] of Object.entries(sends)) this.known(serial).sends = does === true;
    }
    if (isObject(release)) {
      for (const [serial, name] of Object.entries(release)) this.known(serial).release = releaseNamed(name);
    }
    this.#applyDocuments(header, place, broken);
  }

  /** Records that ended before this place are lost, and nobody knows whose. Who has no newer credentials is locked out. */
  doubt(before: Place): void {
    this.isUnsure = true;
    for (const unit of this.values()) {
      const stored = unit.documents.get(secretDocuments.credentials);
      if (stored !== undefined && stored.place >= before) continue;
      unit.isUsed = true;
      this.#lose(unit, secretDocuments.credentials);
    }
  }

  #applyDocuments(header: Header, place: Place, broken: ReadonlySet<string>): void {
    const { unit, documents, counted, sends, release, sums, lost, damage } = header;
    if (typeof unit !== 'string' || !isObject(documents)) return;
    const known = this.known(unit);
    known.isUsed = true;
    if (typeof damage === 'string') known.damage = damage;
    else if (typeof documents[parametersDocument] === 'number') known.damage = undefined;
    if (Array.isArray(lost)) for (const name of lost) this.#lose(known, String(name));
    if (counted === true) known.powerOns = 0;
    if (typeof sends === 'boolean') known.sends = sends;
    if (typeof release === 'string') known.release = releaseNamed(release);
    let at = place;
    for (const [name, length] of Object.entries(documents)) {
      this.current -= known.documents.get(name)?.length ?? 0;
      known.documents.delete(name);
      known.lost.delete(name);
      if (typeof length !== 'number') continue;
      const sum = isObject(sums) ? sums[name] : undefined;
      if (broken.has(name)) known.lost.add(name);
      else {
        known.documents.set(name, { place: at, length, sum: typeof sum === 'number' ? sum : undefined });
        this.current += length;
      }
      at += length;
    }
  }

  #lose(unit: Unit, name: string): void {
    this.current -= unit.documents.get(name)?.length ?? 0;
    unit.documents.delete(name);
    unit.lost.add(name);
  }

  #drop(serial: string): void {
    for (const { length } of this.get(serial)?.documents.values() ?? []) this.current -= length;
    this.delete(serial);
  }
}

/** The scanners that a record is about, by their serial numbers. */
export function concernedBy({ unit, powerOns, sends, release }: Header): readonly string[] {
  const maps = [powerOns, sends, release].filter((each) => isObject(each));
  return [
    ...(typeof unit === 'string' ? [unit] : []),
    ...(Array.isArray(powerOns) ? powerOns.map(String) : []),
    ...maps.flatMap((each) => Object.keys(each)),
  ];
}

/** The same text for all that run it. */
function releaseNamed(name: unknown): Release | undefined {
  return releases.find((release) => release === name);
}
