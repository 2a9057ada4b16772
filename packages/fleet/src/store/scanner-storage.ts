import { cp, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Mutex } from '@azimuth/async';
import { FolderStorage, type Log, type Storage } from '@azimuth/device';
import { countersDocument, inPieces, makeFolder } from '@azimuth/device/documents';

/** Documents to be written, by their names; undefined removes one. */
export type Changes = Readonly<Record<string, Uint8Array | undefined>>;

/** The parts of the storage of the fleet that a storage of a scanner needs. */
interface Documents {
  names(serial: string): Iterable<string>;
  /** @throws DamagedDocument */
  read(serial: string, name: string): Promise<Uint8Array | undefined>;
  readEvenDamaged(serial: string, name: string): Promise<Uint8Array | undefined>;
  isUsed(serial: string): boolean;
  change(serial: string, changes: Changes, counted?: boolean): Promise<void>;
  /** Called when the folder for files of a scanner exists. */
  folderMade(serial: string): void;
}

interface Options {
  readonly serial: string;
  /** The folder of its files. */
  readonly path: string;
  /** True if the folder exists already. */
  readonly hasFolder: boolean;
  /** Description of damage to its stored data. */
  readonly damage: string | undefined;
  readonly log: Log;
}

/** The storage of one scanner of a fleet: documents in the journal, streamed files in a folder of their own. */
export class ScannerStorage implements Storage {
  readonly #documents: Documents;
  readonly #serial: string;
  readonly #path: string;
  readonly #log: Log;
  readonly #opening = new Mutex();
  #folder: FolderStorage | undefined;
  readonly #folderExists: boolean;
  #closed = false;
  readonly damage: string | undefined;

  constructor(documents: Documents, { serial, path, hasFolder, damage, log }: Options) {
    this.#documents = documents;
    this.#serial = serial;
    this.#path = path;
    this.#folderExists = hasFolder;
    this.#log = log;
    this.damage = damage;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return (await this.#documents.read(this.#serial, name)) ?? (await this.#existingFolder())?.read(name);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    this.#refuseIfClosed(name);
    await this.#documents.change(this.#serial, { [name]: content }, name === countersDocument);
  }

  async receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    this.#refuseIfClosed(name);
    const folder = await this.#opening.run(() => this.#openFolder());
    await folder.receive(name, pieces);
    if (this.#isStored(name)) await this.#documents.change(this.#serial, { [name]: undefined });
  }

  async pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const content = await this.#documents.read(this.#serial, name);
    if (content !== undefined) return inPieces(content);
    return (await this.#existingFolder())?.pieces(name);
  }

  async remove(name: string): Promise<void> {
    if (this.#isStored(name)) await this.#documents.change(this.#serial, { [name]: undefined });
    await (await this.#existingFolder())?.remove(name);
  }

  async setAside(name: string): Promise<string> {
    const content = await this.#documents.readEvenDamaged(this.#serial, name);
    if (content === undefined && this.#isStored(name)) {
      await this.#documents.change(this.#serial, { [name]: undefined });
      return 'the damaged journal of the fleet, which is beside the new one';
    }
    if (content === undefined) {
      const folder = await this.#opening.run(() => this.#openFolder());
      return folder.setAside(name);
    }
    let aside = `${name}.unreadable`;
    for (let more = 2; this.#isStored(aside); more++) aside = `${name}.unreadable-${more}`;
    await this.#documents.change(this.#serial, { [aside]: content, [name]: undefined });
    return aside;
  }

  async isUsed(): Promise<boolean> {
    return this.#documents.isUsed(this.#serial);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening.run(() => this.#folder?.close());
  }

  #isStored(name: string): boolean {
    for (const known of this.#documents.names(this.#serial)) if (known === name) return true;
    return false;
  }

  #refuseIfClosed(name: string): void {
    if (this.#closed) throw new Error(`the scanner ${this.#serial} is off: ${name} is no longer written`);
  }

  /** Returns the folder. Most scanners never have a file: then there is none. */
  async #existingFolder(): Promise<FolderStorage | undefined> {
    return this.#opening.run(async () => {
      if (this.#folder !== undefined) return this.#folder;
      return this.#folderExists && !this.#closed ? this.#openFolder() : undefined;
    });
  }

  async #openFolder(): Promise<FolderStorage> {
    this.#folder ??= await FolderStorage.open(this.#path, this.#log);
    this.#documents.folderMade(this.#serial);
    return this.#folder;
  }
}

/** Copies a folder of files. All of it is on disk when the promise resolves. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  // Links stay links: their targets do not belong to the scanner.
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  for (const entry of await readdir(to, { withFileTypes: true }))
    if (entry.isFile()) await flush(join(to, entry.name));
  if (process.platform === 'win32') return;
  for (const folder of [to, dirname(to), dirname(dirname(to))]) await flush(folder);
}

async function flush(path: string): Promise<void> {
  // Windows flushes only files that are open for writing.
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
