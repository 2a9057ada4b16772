import { isDeepStrictEqual } from 'node:util';
import { Mutex } from '@azimuth/async';
import {
  type Edition,
  enabledAtFactory,
  isObject,
  type LoginLevel,
  type Provenance,
  parametersOf,
  type Release,
} from '@azimuth/model';
import { decodeDocument, parametersDocument, UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';
import type { ValueSet } from './parameters.js';

/** User levels that may log in. */
type LevelSwitches = Readonly<Record<LoginLevel, boolean>>;

/** The stored state of a scanner, except credentials and counters. It survives a power cut. */
export interface StoredContent {
  /** Time of the last save of parameters, on the device clock. */
  readonly saved: { readonly date: string; readonly time: string };
  readonly webserverEnabled: boolean;
  readonly userLevels: LevelSwitches;
  readonly legacyUserLevels: LevelSwitches;
  readonly parameters: ValueSet;
  /** True before the first save: the parameters are the factory defaults of a new scanner. */
  readonly neverSaved?: true;
  /**
   * True if no parameters were read from a system plug or written to one yet. A plug with the own number may have the
   * only copy.
   */
  readonly plugUnread?: boolean;
  /**
   * SHA-256 of the file whose parameters were adopted from the system plug. Undefined when the plug has the parameters
   * of this scanner.
   */
  readonly plugTaken?: string;
}

/** The document with the stored parameters. */
const loss = 'The stored parameters are lost; factory defaults are in force';

/** State of the document: complete, missing because the scanner is new, or lost. */
export type Found = 'whole' | 'new' | 'lost';

/** The stored state, in one document. After a power cut, all of it is old, or all of it is new. */
export class StoredState {
  readonly #documents: Documents;
  readonly #fresh: () => StoredContent;
  readonly #initial: ValueSet;
  /** The content on disk. Only `update` and `load` change it. */
  content: Readonly<StoredContent>;
  /** Time of the last save, also of one that changed nothing and is not on disk. */
  lastSave: StoredContent['saved'];
  /** State of the document when it was last loaded. */
  found: Found = 'new';
  readonly #mutex = new Mutex();
  readonly #updated = new Set<(before: StoredContent, after: StoredContent) => void>();

  /**
   * @param fresh makes the factory state
   * @param initial parameters of a new scanner that differ from it
   */
  constructor(documents: Documents, fresh: () => StoredContent, initial: ValueSet = {}) {
    this.#documents = documents;
    this.#fresh = fresh;
    this.#initial = initial;
    this.content = fresh();
    this.lastSave = this.content.saved;
  }

  /**
   * Reads the document, or creates it for a new scanner. If the document is missing although the scanner is not new, or
   * if it cannot be read, the scanner uses the state of a new one, and stores nothing until the next save. An
   * unreadable document is renamed, unless it may be readable later.
   */
  load(neverUsed: boolean): Promise<Found> {
    // Waits for updates in progress, so that the boot reads their result.
    return this.#mutex.run(async () => {
      const { saved } = this.content;
      this.found = await this.#load(neverUsed);
      // A later save that changed nothing counts until the program ends.
      if (!isDeepStrictEqual(this.content.saved, saved)) this.lastSave = this.content.saved;
      return this.found;
    });
  }

  async #load(neverUsed: boolean): Promise<Found> {
    const found = await this.#documents.find(parametersDocument, loss, contentOf);
    if (found.state === 'whole') {
      this.content = found.content;
      return 'whole';
    }
    if (found.state === 'missing' && neverUsed) {
      const fresh = this.#fresh();
      await this.#write({ ...fresh, parameters: { ...fresh.parameters, ...this.#initial } });
      return 'new';
    }
    this.content = this.#fresh();
    if (found.state === 'missing') this.#documents.reportMissing(parametersDocument, loss);
    return 'lost';
  }

  /** Remembers the content. The storage itself is put back by its owner. */
  remember(): () => void {
    const { content, lastSave, found } = this;
    return () => {
      this.content = content;
      this.lastSave = lastSave;
      this.found = found;
    };
  }

  /** Calls `listener` after each change of the document on disk. */
  onUpdated(listener: (before: StoredContent, after: StoredContent) => void): void {
    this.#updated.add(listener);
  }

  /**
   * Changes the document. On disk when the promise resolves. Changes run one after the other.
   * @throws Refusal 3 if it cannot be written; then nothing has changed
   */
  async update(change: (content: StoredContent) => StoredContent): Promise<StoredContent> {
    await this.#mutex.run(() => this.#write(change(this.content)));
    return this.content;
  }

  /** Changes the document with the time of this save. A save that changes nothing keeps the time on disk. */
  async save(
    change: (content: StoredContent) => StoredContent,
    stamp: () => StoredContent['saved'],
  ): Promise<void> {
    await this.#mutex.run(async () => {
      const saved = stamp();
      const changed = change(this.content);
      await this.#write(isSame(this.content, changed) ? this.content : { ...changed, saved });
      this.lastSave = saved;
    });
  }

  async #write(content: StoredContent): Promise<void> {
    await this.#documents.store(parametersDocument, 'The parameters', { ...content });
    const before = this.content;
    this.content = content;
    for (const listener of this.#updated) listener(before, content);
  }
}

/** Compares as the document does: without members that are undefined. */
function isSame(one: StoredContent, other: StoredContent): boolean {
  const members = (content: StoredContent) =>
    Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
  return isDeepStrictEqual(members(one), members(other));
}

/** The parameters in such a document. None if a scanner could not read it and would have lost them. */
export function parametersIn(document: Uint8Array): ValueSet {
  try {
    return contentOf(decodeDocument(document)).parameters;
  } catch (error) {
    if (error instanceof UnreadableDocument) return {};
    throw error;
  }
}

/**
 * The parameters in such a document that this process has just encoded: nothing can have changed it, and its checks would
 * take longer than encoding it. None if it is not such a document.
 */
export function parametersJustWritten(document: Uint8Array): ValueSet {
  try {
    const content: unknown = JSON.parse(new TextDecoder().decode(document));
    return isObject(content) && isObject(content.parameters) ? content.parameters : {};
  } catch {
    return {};
  }
}

function contentOf(document: Record<string, unknown>): StoredContent {
  const {
    saved,
    webserverEnabled,
    userLevels,
    legacyUserLevels,
    parameters,
    neverSaved,
    plugUnread,
    plugTaken,
  } = document;
  if (!isObject(saved) || typeof saved.date !== 'string' || typeof saved.time !== 'string') {
    throw new UnreadableDocument('saved is not a date and a time');
  }
  if (typeof webserverEnabled !== 'boolean')
    throw new UnreadableDocument('webserverEnabled is not true or false');
  if (!isObject(parameters)) throw new UnreadableDocument('parameters is not an object');
  if (neverSaved !== undefined && neverSaved !== true) throw new UnreadableDocument('neverSaved is not true');
  if (plugUnread !== undefined && typeof plugUnread !== 'boolean') {
    throw new UnreadableDocument('plugUnread is not true or false');
  }
  if (plugTaken !== undefined && typeof plugTaken !== 'string') {
    throw new UnreadableDocument('plugTaken is not a text');
  }
  return {
    saved: { date: saved.date, time: saved.time },
    webserverEnabled,
    userLevels: switchesOf(userLevels),
    legacyUserLevels: switchesOf(legacyUserLevels),
    parameters,
    neverSaved,
    plugUnread,
    plugTaken,
  };
}

function switchesOf(json: unknown): LevelSwitches {
  if (!isObject(json)) throw new UnreadableDocument('the user level switches are not an object');
  const { Maintenance, AuthorizedClient, Service } = json;
  if (
    typeof Maintenance !== 'boolean' ||
    typeof AuthorizedClient !== 'boolean' ||
    typeof Service !== 'boolean'
  ) {
    throw new UnreadableDocument('a user level switch is not true or false');
  }
  return { Maintenance, AuthorizedClient, Service };
}

/** The factory state of the switches of a release. */
export function factorySwitches(
  release: Release,
): Pick<StoredContent, 'userLevels' | 'legacyUserLevels' | 'webserverEnabled'> {
  const userLevels: LevelSwitches = {
    Maintenance: enabledAtFactory('Maintenance', release),
    AuthorizedClient: enabledAtFactory('AuthorizedClient', release),
    Service: enabledAtFactory('Service', release),
  };
  return { userLevels, legacyUserLevels: userLevels, webserverEnabled: true };
}

/** The parameters of a new scanner. */
export function factorySet(edition: Edition, provenance: Provenance): ValueSet {
  return Object.fromEntries(
    parametersOf(edition).map((variable) => [variable.name, variable.factoryValue(provenance)]),
  );
}
