import { Fault } from '@azimuth/model';
import type { Log, LogFields } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import { decodeDocument, encodeDocument } from './document.js';
import { isPassing, LinkInPlace, reasonOf, remedyOf } from './storage-failure.js';

/** A document as it was found: whole, not there, or lost (told in the log, and set aside where that was possible). */
export type Found<T> =
  | { readonly state: 'whole'; readonly content: T }
  | { readonly state: 'missing' }
  | { readonly state: 'lost' };

/** A document that could not be read. */
export interface LostDocument {
  readonly document: string;
  /** Where it is now; undefined where it is gone, or could not be moved. */
  readonly setAside: string | undefined;
}

/** The documents of one scanner: finds them, stores them, and tells and remembers what was lost. */
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

  /** What was lost since the process started. */
  get lost(): readonly LostDocument[] {
    return this.#lost;
  }

  /**
   * Reads a document and makes sense of it. One that cannot be read, for its content or for its rights, is set aside
   * and told: `loss` says what that means. It is never overwritten.
   * @throws what has nothing to do with the document and passes: then it is left where it is.
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
      if (isPassing(error)) throw error;
      await this.#setAside(name, loss, reasonOf(error));
      return { state: 'lost' };
    }
  }

  /**
   * Reads a file of another form than a document's; undefined where there is none. A link in its place is set aside, and
   * told: `loss` says what that means.
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

  /** Tells of a document that should be there and is not. One that was told of before is the same loss. */
  reportMissing(name: string, loss: string, fields: LogFields = {}): void {
    if (!this.#lost.some(({ document }) => document === name)) {
      this.#lost.push({ document: name, setAside: undefined });
    }
    this.#log.error(loss, { document: name, ...fields });
  }

  /** Puts a document on disk; the old one is there, whole, where this fails. */
  async write(name: string, content: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#put(name, encodeDocument(content));
  }

  /**
   * The same on behalf of somebody who waits for it; `what` names it for him.
   * @throws Fault with status 3 that says what is wrong and what helps; the log says it with names and paths.
   */
  async store(
    name: string,
    what: string,
    content: Readonly<Record<string, unknown>>,
    options: { readonly secret?: boolean } = {},
  ): Promise<void> {
    await this.storeFile(name, what, encodeDocument(content), options);
  }

  /** The same with a document that is a file of another form, stored as it is. */
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

  /** What could not be read and not be moved either must not be written over: it is moved first, or nothing is written. */
  async #put(name: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void> {
    if (this.#inTheWay.has(name)) {
      const setAside = await this.#storage.setAside(name);
      this.#inTheWay.delete(name);
      this.#log.warn('A document that could not be read is set aside now', { document: name, setAside });
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
