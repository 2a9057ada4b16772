import { crc32 } from 'node:zlib';
import { parametersDocument, secretDocuments } from '@azimuth/device/documents';
import { isObject, type Release, releases } from '@azimuth/model';
import type { FileOffset, Header, Journal, JournalRecord } from './journal.js';

/** Serial numbers in a record of power-ons. */
export const serialsAtOnce = 10_000;

/** A document in the journal. */
interface Stored {
  readonly offset: FileOffset;
  readonly length: number;
  /** CRC-32; undefined if the record has none. */
  readonly sum: number | undefined;
}

/** The known data of one scanner. */
interface Known {
  documents: Map<string, Stored>;
  /** Documents that were in a damaged part of the journal. */
  lost: Set<string>;
  /** Description of damage, until its parameters are saved again. */
  damage?: string | undefined;
  /** True if it has ever stored a document. */
  isUsed: boolean;
  /** Power-ons since the last write of its operating counters. */
  powerOns: number;
  /** True if its stored parameters make it send from its power-on on. Part of each record with its parameters. */
  sends?: boolean;
  /** The stored release. Part of each record with it. */
  release?: Release | undefined;
}

const none: ReadonlySet<string> = new Set();

/** Shared by all scanners that have stored nothing, which are most of a large fleet. Nobody adds to them. */
const noDocuments = new Map<string, Stored>();
const noneLost = new Set<string>();

/** Returns the documents of a scanner, to be changed. */
function ownDocuments(known: Known): Map<string, Stored> {
  if (known.documents === noDocuments) known.documents = new Map();
  return known.documents;
}

/** Returns the lost documents of a scanner, to be changed. */
function ownLost(known: Known): Set<string> {
  if (known.lost === noneLost) known.lost = new Set();
  return known.lost;
}

/** The data of the scanners in the records of a journal, by their serial numbers. */
export class JournalContents extends Map<string, Known> {
  /** Bytes of documents that count. */
  current = 0;
  /** True if records of unknown scanners were lost: an unknown scanner may have had some. */
  isUnsure = false;

  /** Returns a scanner, which is known from now on. */
  known(serial: string): Known {
    let scanner = this.get(serial);
    if (scanner === undefined) {
      scanner = { documents: noDocuments, lost: noneLost, isUsed: false, powerOns: 0 };
      this.set(serial, scanner);
    }
    return scanner;
  }

  /**
   * Applies a record, after all records before it.
   * @param broken documents of the record that differ from the written content
   */
  apply(header: Header, offset: FileOffset, broken: ReadonlySet<string> = none): void {
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
    this.#applyDocuments(header, offset, broken);
  }

  /** Records before this offset are lost, and their scanners are unknown. Scanners without newer credentials are locked. */
  doubt(before: FileOffset): void {
    this.isUnsure = true;
    for (const scanner of this.values()) {
      const stored = scanner.documents.get(secretDocuments.credentials);
      if (stored !== undefined && stored.offset >= before) continue;
      scanner.isUsed = true;
      this.#lose(scanner, secretDocuments.credentials);
    }
  }

  /** Yields all known data, in as few records as possible. @param journal that has the documents */
  async *records(journal: Journal): AsyncGenerator<JournalRecord> {
    const powerOns = [...this].filter(([, scanner]) => scanner.powerOns > 0);
    for (let at = 0; at < powerOns.length; at += serialsAtOnce) {
      const counts = powerOns
        .slice(at, at + serialsAtOnce)
        .map(([serial, scanner]) => [serial, scanner.powerOns]);
      yield { header: { powerOns: Object.fromEntries(counts) }, bytes: new Uint8Array() };
    }
    for (const [serial, { isUsed }] of this) if (isUsed) yield this.recordOf(serial, journal);
    // It always has a record: if there were scanners, a journal without any record is a lost one.
    yield { header: { unsure: this.isUnsure }, bytes: new Uint8Array() };
  }

  /** Returns all known data of a scanner except its power-ons, in one record. Documents that are found damaged are lost. */
  async recordOf(serial: string, journal: Journal): Promise<JournalRecord> {
    const { documents, lost: known, damage, sends, release, isUsed } = this.known(serial);
    if (!isUsed) return { header: {}, bytes: new Uint8Array() };
    const lost = [...known];
    const lengths: Record<string, number> = {};
    const sums: Record<string, number> = {};
    const contents: Uint8Array[] = [];
    for (const [name, { offset, length, sum }] of documents) {
      const content = await journal.read(offset, length);
      if (isRight(content, sum)) {
        lengths[name] = length;
        sums[name] = crc32(content);
        contents.push(content);
      } else lost.push(name);
    }
    const header = {
      ...{ unit: serial, documents: lengths, sums, sends, release, damage },
      lost: lost.length > 0 ? lost : undefined,
    };
    return { header, bytes: Buffer.concat(contents) };
  }

  #applyDocuments(header: Header, offset: FileOffset, broken: ReadonlySet<string>): void {
    const { unit: serial, documents, counted, sends, release, sums, lost, damage } = header;
    if (typeof serial !== 'string' || !isObject(documents)) return;
    const known = this.known(serial);
    known.isUsed = true;
    if (typeof damage === 'string') known.damage = damage;
    else if (typeof documents[parametersDocument] === 'number') known.damage = undefined;
    if (Array.isArray(lost)) for (const name of lost) this.#lose(known, String(name));
    if (counted === true) known.powerOns = 0;
    if (typeof sends === 'boolean') known.sends = sends;
    if (typeof release === 'string') known.release = releaseNamed(release);
    let at = offset;
    for (const [name, length] of Object.entries(documents)) {
      this.current -= known.documents.get(name)?.length ?? 0;
      ownDocuments(known).delete(name);
      known.lost.delete(name);
      if (typeof length !== 'number') continue;
      const sum = isObject(sums) ? sums[name] : undefined;
      if (broken.has(name)) ownLost(known).add(name);
      else {
        ownDocuments(known).set(name, { offset: at, length, sum: typeof sum === 'number' ? sum : undefined });
        this.current += length;
      }
      at += length;
    }
  }

  #lose(scanner: Known, name: string): void {
    this.current -= scanner.documents.get(name)?.length ?? 0;
    scanner.documents.delete(name);
    ownLost(scanner).add(name);
  }

  #drop(serial: string): void {
    for (const { length } of this.get(serial)?.documents.values() ?? []) this.current -= length;
    this.delete(serial);
  }
}

/** Returns the scanners that a record is about, by their serial numbers. */
export function concernedBy({ unit: serial, powerOns, sends, release }: Header): readonly string[] {
  const maps = [powerOns, sends, release].filter((each) => isObject(each));
  return [
    ...(typeof serial === 'string' ? [serial] : []),
    ...(Array.isArray(powerOns) ? powerOns.map(String) : []),
    ...maps.flatMap((each) => Object.keys(each)),
  ];
}

/** Returns a release by its name. All scanners share the text. */
function releaseNamed(name: unknown): Release | undefined {
  return releases.find((release) => release === name);
}

export function isRight(content: Uint8Array, sum: number | undefined): boolean {
  return sum === undefined || crc32(content) === sum;
}

/**
 * Returns the documents of a record that differ from the written content: those with another checksum, or all of a record
 * without checksums.
 */
export async function brokenIn(
  journal: Journal,
  header: Header,
  offset: FileOffset,
): Promise<ReadonlySet<string>> {
  const broken = new Set<string>();
  const { documents, sums } = header;
  let at = offset;
  for (const [name, length] of Object.entries(isObject(documents) ? documents : {})) {
    if (typeof length !== 'number') continue;
    const sum = isObject(sums) ? sums[name] : undefined;
    if (typeof sum !== 'number' || !isRight(await journal.read(at, length), sum)) broken.add(name);
    at += length;
  }
  return broken;
}
