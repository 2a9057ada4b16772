import {
  allParameters,
  type Edition,
  enabledAtFactory,
  isObject,
  type LoginLevel,
  type Provenance,
  type Release,
} from '@azimuth/model';
import { UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';
import { Mutex } from '../storage/mutex.js';
import type { ValueSet } from './parameters.js';

/** Which user levels may log in. */
export type LevelSwitches = Readonly<Record<LoginLevel, boolean>>;

/** What a scanner knows after a power cut, but for credentials and counters. */
export interface StoredContent {
  /** When parameters were last stored, on the device clock. */
  readonly saved: { readonly date: string; readonly time: string };
  readonly webserverEnabled: boolean;
  readonly userLevels: LevelSwitches;
  readonly legacyUserLevels: LevelSwitches;
  readonly parameters: ValueSet;
}

const name = 'parameters.json';
const loss = 'The stored parameters are lost; factory defaults are in force';

/** How the document was found: as it was left, not there in a folder never used, or lost. */
export type Found = 'whole' | 'new' | 'lost';

/** The document of the stored state: one file, so that all of it is the old or the new after a power cut. */
export class StoredState {
  readonly #documents: Documents;
  readonly #fresh: () => StoredContent;
  #content: StoredContent;
  readonly #mutex = new Mutex();

  /** `fresh` gives what a scanner starts with that has never stored anything. */
  constructor(documents: Documents, fresh: () => StoredContent) {
    this.#documents = documents;
    this.#fresh = fresh;
    this.#content = fresh();
  }

  /**
   * Reads the document. In a folder never used it is made. Where it is missing all the same, or cannot be understood
   * (then it is set aside), the scanner goes on with what is fresh and writes nothing by itself.
   */
  load(neverUsed: boolean): Promise<Found> {
    // After the updates under way: what a boot reads is what they leave.
    return this.#mutex.run(() => this.#load(neverUsed));
  }

  async #load(neverUsed: boolean): Promise<Found> {
    const found = await this.#documents.find(name, loss, contentOf);
    if (found.state === 'whole') {
      this.#content = found.content;
      return 'whole';
    }
    if (found.state === 'missing' && neverUsed) {
      await this.#write(this.#fresh());
      return 'new';
    }
    this.#content = this.#fresh();
    if (found.state === 'missing') this.#documents.reportMissing(name, loss);
    return 'lost';
  }

  get content(): StoredContent {
    return this.#content;
  }

  /**
   * Changes the document; it is on disk when the promise is fulfilled. Changes take turns.
   * @throws Fault with status 3 where it cannot be written; then nothing has changed.
   */
  async update(change: (content: StoredContent) => StoredContent): Promise<StoredContent> {
    await this.#mutex.run(() => this.#write(change(this.#content)));
    return this.#content;
  }

  async #write(content: StoredContent): Promise<void> {
    await this.#documents.store(name, 'The parameters', { ...content });
    this.#content = content;
  }
}

function contentOf(document: Record<string, unknown>): StoredContent {
  const { saved, webserverEnabled, userLevels, legacyUserLevels, parameters } = document;
  if (!isObject(saved) || typeof saved.date !== 'string' || typeof saved.time !== 'string') {
    throw new UnreadableDocument('saved is not a date and a time');
  }
  if (typeof webserverEnabled !== 'boolean')
    throw new UnreadableDocument('webserverEnabled is not true or false');
  if (!isObject(parameters)) throw new UnreadableDocument('parameters is not an object');
  return {
    saved: { date: saved.date, time: saved.time },
    webserverEnabled,
    userLevels: switchesOf(userLevels),
    legacyUserLevels: switchesOf(legacyUserLevels),
    parameters,
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

/** The switches as they leave the factory with a release. */
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

/** The parameter set of a scanner that nobody has touched. */
export function factorySet(edition: Edition, provenance: Provenance): ValueSet {
  const stored = allParameters.filter((variable) => variable.isIn(edition));
  return Object.fromEntries(stored.map((variable) => [variable.name, variable.factoryValue(provenance)]));
}
