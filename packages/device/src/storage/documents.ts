import { hash } from 'node:crypto';
import { Refusal } from '@azimuth/model';
import type { Log, LogFields, Storage } from '../interfaces/environment.js';
import { countersDocument, decodeDocument, encodeDocument } from './document.js';
import {
  isOfDocument,
  isTemporary,
  LinkInPlace,
  reasonOf,
  remedyOf,
  StorageUnavailable,
} from './storage-failure.js';

/**
 * The result of a read: complete, missing, or lost (reported in the log). A lost document was set aside if possible. If
 * it only could not be read, it stays in its place, and nothing is written there.
 */
export type Found<T> =
  | { readonly state: 'whole'; readonly content: T }
  | { readonly state: 'missing' }
  | Lost;

interface Lost {
  readonly state: 'lost';
}

/** An unreadable document. */
export interface LostDocument {
  readonly document: string;
  /** Its new name. Undefined if it is gone or could not be moved. */
  readonly setAside: string | undefined;
}

/** The documents of one scanner: reads and stores them, and reports which were lost. */
export class Documents {
  readonly #storage: Storage;
  readonly #log: Log;
  readonly #lost: LostDocument[] = [];
  /** Documents that could be neither read nor set aside. */
  readonly #inTheWay = new Set<string>();
  /** Documents that could not be read, for reasons that may be temporary. */
  readonly #unread = new Map<string, string>();
  /** Digests of what was last read or written. */
  readonly #digests = new Map<string, string>();

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** The documents that were lost since the process started. */
  get lost(): readonly LostDocument[] {
    return this.#lost;
  }

  /**
   * True if no scanner with this storage was ever ready. A document that cannot be read exists.
   * @throws a temporary error of the system
   */
  async neverUsed(): Promise<boolean> {
    try {
      return (await this.#storage.read(countersDocument)) === undefined;
    } catch (error) {
      if (isTemporary(error)) throw error;
      return false;
    }
  }

  /**
   * Reads and decodes a document. If it is lost, logs `loss`, a text about the consequences. If its content is wrong,
   * it is set aside, never overwritten. If the system refuses the read, it stays in its place, and nothing is written
   * there.
   * @throws a temporary error of the system; then the document stays in its place
   */
  async find<T>(
    name: string,
    loss: string,
    contentOf: (document: Record<string, unknown>) => T | Promise<T>,
  ): Promise<Found<T>> {
    const reason = this.#unread.get(name);
    this.#unread.delete(name);
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#storage.read(name);
    } catch (error) {
      if (isTemporary(error)) throw error;
      if (isOfDocument(error)) return this.#setAside(name, loss, reasonOf(error));
      return this.#leave(name, loss, { reason: reasonOf(error), isKnown: reason !== undefined });
    }
    if (bytes === undefined) return { state: 'missing' };
    try {
      const content = await contentOf(decodeDocument(bytes));
      this.#digests.set(name, digestOf(bytes));
      return { state: 'whole', content };
    } catch (error) {
      if (isTemporary(error)) throw error;
      return this.#setAside(name, loss, reasonOf(error));
    }
  }

  /** True if this document could not be read and stays in its place. */
  isUnreadable(name: string): boolean {
    return this.#unread.has(name);
  }

  /** Gives up an unreadable document: the next write renames it, and replaces it. */
  giveUp(name: string): void {
    if (this.#unread.delete(name)) this.#inTheWay.add(name);
  }

  #leave(
    name: string,
    loss: string,
    { reason, isKnown }: { readonly reason: string; readonly isKnown: boolean },
  ): Lost {
    this.#unread.set(name, reason);
    if (!isKnown) this.#lost.push({ document: name, setAside: undefined });
    this.#log.error(loss, { document: name, setAside: 'no: it may be readable at the next boot', reason });
    return { state: 'lost' };
  }

  /**
   * Reads a file that is not in the format of documents. Undefined if there is none. A symbolic link in its place is
   * set aside, and `loss`, a text about the consequences, is logged.
   */
  async readFile(name: string, loss: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#storage.read(name);
    } catch (error) {
      if (!(error instanceof LinkInPlace)) throw error;
      const setAside = await this.#storage.setAside(name);
      this.#log.error(loss, { document: name, setAside, reason: error.message });
      return undefined;
    }
  }

  /** Counts a file as lost that is not in the format of documents. The caller logs it. */
  recordLost(lost: LostDocument): void {
    this.#lost.push(lost);
  }

  /** Reports a missing document that should exist. It counts as one loss, regardless of the number of reports. */
  reportMissing(name: string, loss: string, fields: LogFields = {}): void {
    if (!this.#lost.some(({ document }) => document === name)) {
      this.#lost.push({ document: name, setAside: undefined });
    }
    this.#log.error(loss, { document: name, ...fields });
  }

  /** Stores a document. If this fails, the old one stays complete. If the same one is stored, nothing is written. */
  async write(name: string, content: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#put(name, encodeDocument(content));
  }

  /**
   * Stores a document for a request.
   * @param what its name in the response
   * @throws Refusal 3 with the cause and a remedy, but no path; the log has the paths
   */
  async store(
    name: string,
    what: string,
    content: Readonly<Record<string, unknown>>,
    options: { readonly secret?: boolean } = {},
  ): Promise<void> {
    await this.storeFile(name, what, encodeDocument(content), options);
  }

  /** Stores a file that is not in the format of documents in the same way. */
  async storeFile(
    name: string,
    what: string,
    content: Uint8Array,
    options: { readonly secret?: boolean } = {},
  ): Promise<void> {
    try {
      await this.#put(name, content, options);
    } catch (error) {
      this.#log.error(`${what} could not be stored`, { document: name, reason: reasonOf(error) });
      const reason = `${what.charAt(0).toLowerCase()}${what.slice(1)} could not be stored: ${remedyOf(error)}`;
      throw new Refusal('internalServerError', '', reason);
    }
  }

  /**
   * Renames a document before its first write if it could neither be read nor set aside. If this fails, nothing is
   * written. A document that may be readable later is neither moved nor overwritten.
   */
  async #put(name: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void> {
    const unread = this.#unread.get(name);
    if (unread !== undefined)
      throw new StorageUnavailable(
        `${name} could not be read, and is not overwritten: ${unread}`,
        'what is stored could not be read, and is not overwritten: make it readable, then reboot',
      );
    if (this.#inTheWay.has(name)) {
      const setAside = await this.#storage.setAside(name);
      this.#inTheWay.delete(name);
      this.#log.warn('A document that could not be read has been renamed', { document: name, setAside });
    }
    if (await this.#has(name, content)) return;
    this.#digests.delete(name);
    await this.#storage.write(name, content, options);
    this.#digests.set(name, digestOf(content));
  }

  /** True if the storage has this content. It is read only if it was the last that was read or written. */
  async #has(name: string, content: Uint8Array): Promise<boolean> {
    if (this.#digests.get(name) !== digestOf(content)) return false;
    try {
      const stored = await this.#storage.read(name);
      return stored !== undefined && Buffer.from(content).equals(stored);
    } catch {
      return false;
    }
  }

  async #setAside(name: string, loss: string, reason: string): Promise<Lost> {
    try {
      const setAside = await this.#storage.setAside(name);
      this.#lost.push({ document: name, setAside });
      this.#log.error(loss, { document: name, setAside, reason });
    } catch (error) {
      this.#inTheWay.add(name);
      this.#lost.push({ document: name, setAside: undefined });
      this.#log.error(loss, { document: name, setAside: `not possible: ${reasonOf(error)}`, reason });
    }
    return { state: 'lost' };
  }
}

function digestOf(content: Uint8Array): string {
  return hash('sha256', content, 'base64');
}
