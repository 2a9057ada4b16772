import { Fault } from '@azimuth/model';
import type { Log, LogFields } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import { decodeDocument, encodeDocument } from './document.js';
import { isTemporary, LinkInPlace, reasonOf, remedyOf } from './storage-failure.js';

/** A document that was read: whole, missing, or lost (reported in the log, and set aside if possible). */
export type Found<T> =
  | { readonly state: 'whole'; readonly content: T }
  | { readonly state: 'missing' }
  | { readonly state: 'lost' };

/** A document that could not be read. */
export interface LostDocument {
  readonly document: string;
  /** Its new name; undefined if it is gone or could not be moved. */
  readonly setAside: string | undefined;
}

/** The document that a first start writes last. */
export const lastOfFirstStart = 'operating.json';

/** The documents of one scanner: reads and stores them, and reports which were lost. */
export class Documents {
  readonly #storage: Storage;
  readonly #log: Log;
  readonly #lost: LostDocument[] = [];
  /** Documents that could be neither read nor set aside. */
  readonly #inTheWay = new Set<string>();

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** The documents that were lost since the process started. */
  get lost(): readonly LostDocument[] {
    return this.#lost;
  }

  /**
   * Has no scanner with this storage ever been ready? A document that cannot be read exists.
   * @throws a temporary error of the system
   */
  async neverUsed(): Promise<boolean> {
    try {
      return (await this.#storage.read(lastOfFirstStart)) === undefined;
    } catch (error) {
      if (isTemporary(error)) throw error;
      return false;
    }
  }

  /**
   * Reads and decodes a document. One that cannot be read, for its content or its rights, is set aside, never
   * overwritten, and `loss`, which says what that means, is logged.
   * @throws a temporary error of the system; then the document stays where it is
   */
  async find<T>(
    name: string,
    loss: string,
    contentOf: (document: Record<string, unknown>) => T | Promise<T>,
  ): Promise<Found<T>> {
    try {
      const bytes = await this.#storage.read(name);
      if (bytes === undefined) return { state: 'missing' };
      return { state: 'whole', content: await contentOf(decodeDocument(bytes)) };
    } catch (error) {
      if (isTemporary(error)) throw error;
      await this.#setAside(name, loss, reasonOf(error));
      return { state: 'lost' };
    }
  }

  /**
   * Reads a file that is not in the format of documents; undefined if there is none. A symbolic link in its place is set
   * aside, and `loss`, which says what that means, is logged.
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

  /** Reports a document that should exist and does not. It counts as one loss, however often it is reported. */
  reportMissing(name: string, loss: string, fields: LogFields = {}): void {
    if (!this.#lost.some(({ document }) => document === name)) {
      this.#lost.push({ document: name, setAside: undefined });
    }
    this.#log.error(loss, { document: name, ...fields });
  }

  /** Stores a document. If that fails, the old one stays whole. */
  async write(name: string, content: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#put(name, encodeDocument(content));
  }

  /**
   * Stores a document for a request.
   * @param what its name in the reply
   * @throws Fault 3 with the cause and a remedy, but no path; the log has the paths
   */
  async store(
    name: string,
    what: string,
    content: Readonly<Record<string, unknown>>,
    options: { readonly secret?: boolean } = {},
  ): Promise<void> {
    await this.storeFile(name, what, encodeDocument(content), options);
  }

  /** The same for a file that is not in the format of documents. */
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
      throw new Fault('internalServerError', '', reason);
    }
  }

  /** A document that could be neither read nor moved is not overwritten: it is moved first, or nothing is written. */
  async #put(name: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void> {
    if (this.#inTheWay.has(name)) {
      const setAside = await this.#storage.setAside(name);
      this.#inTheWay.delete(name);
      this.#log.warn('A document that could not be read has been renamed', { document: name, setAside });
    }
    await this.#storage.write(name, content, options);
  }

  async #setAside(name: string, loss: string, reason: string): Promise<void> {
    try {
      const setAside = await this.#storage.setAside(name);
      this.#lost.push({ document: name, setAside });
      this.#log.error(loss, { document: name, setAside, reason });
    } catch (error) {
      this.#inTheWay.add(name);
      this.#lost.push({ document: name, setAside: undefined });
      this.#log.error(loss, { document: name, setAside: `not possible: ${reasonOf(error)}`, reason });
    }
  }
}
