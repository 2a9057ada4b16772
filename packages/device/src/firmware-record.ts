import {
  isFrom,
  isRelease,
  LegacyScanMode,
  newestRelease,
  type Provenance,
  type Release,
} from '@azimuth/model';
import type { ValueSet } from './parameters/parameters.js';
import type { StoredState } from './parameters/stored-state.js';
import { decodeDocument, firmwareDocument, UnreadableDocument } from './storage/document.js';
import type { Documents } from './storage/documents.js';

const loss = 'The release of this scanner cannot be read; it runs the requested release, or else the newest';

/** Refuses an older release than the running one. */
export class DowngradeRefused extends Error {
  override readonly name = 'DowngradeRefused';
}

interface Content extends Provenance {
  /** The release whose stored parameters still have to be migrated. */
  readonly before?: Release;
}

/** The running release of a scanner, and the release of its delivery. */
export class FirmwareRecord implements Provenance {
  readonly #documents: Documents;
  #release: Release;
  /** The release of the next boot. */
  #installed: Release;
  #before: Release | undefined;
  readonly #createdWith: Release;

  private constructor(documents: Documents, { release, createdWith, before }: Content) {
    this.#documents = documents;
    this.#release = release;
    this.#installed = release;
    this.#before = before;
    this.#createdWith = createdWith;
  }

  /**
   * Reads the record, or creates it for a new scanner with release `requested` (by default the newest). If the record
   * is lost, this is logged. Then a new one is created, unless the old one may be readable later.
   */
  static async load(
    documents: Documents,
    neverUsed: boolean,
    requested: Release | undefined,
  ): Promise<{ firmware: FirmwareRecord; lost: boolean }> {
    const found = await documents.find(firmwareDocument, loss, contentOf);
    if (found.state === 'whole') {
      return { firmware: new FirmwareRecord(documents, found.content), lost: false };
    }
    const release = requested ?? newestRelease;
    const firmware = new FirmwareRecord(documents, { release, createdWith: release });
    // Does not replace a record that may be readable later.
    if (!documents.isUnreadable(firmwareDocument)) await firmware.#write({ release, createdWith: release });
    const lost = found.state === 'lost' || !neverUsed;
    if (found.state === 'missing' && lost) documents.reportMissing(firmwareDocument, loss, { release });
    return { firmware, lost };
  }

  /** The running release. */
  get release(): Release {
    return this.#release;
  }

  get createdWith(): Release {
    return this.#createdWith;
  }

  /**
   * Checks that a release may be installed on this scanner.
   * @throws DowngradeRefused
   */
  accept(release: Release): void {
    if (isFrom(release, this.#release)) return;
    throw new DowngradeRefused(
      `The folder has release ${this.#release}, and ${release} is older. Omit --firmware or use another folder.`,
    );
  }

  /**
   * Updates a scanner that is started with a newer release: at its first boot, without a change of parameters and
   * enabled levels. On disk when the promise resolves, in one document: after a power cut it is the old release or the
   * new one.
   * @param keepsNewer an older release changes nothing
   * @throws DowngradeRefused for an older release
   */
  async updateOnStart(requested: Release | undefined, keepsNewer = false): Promise<void> {
    if (requested === undefined || requested === this.#release) return;
    if (keepsNewer && isFrom(this.#release, requested)) return;
    await this.install(requested);
  }

  /**
   * Runs this release from the next boot on. On disk when the promise resolves.
   * @throws DowngradeRefused
   */
  async install(release: Release): Promise<void> {
    this.accept(release);
    const before = this.#before ?? this.#release;
    await this.#write({ release, createdWith: this.#createdWith, before });
    this.installUnrecorded(release);
  }

  /**
   * Runs this release from the next boot of this process on. It is recorded at that boot. A process that starts in
   * place of this one decides itself which release it runs: the device may come up with its old firmware.
   */
  installUnrecorded(release: Release): void {
    this.#before ??= this.#release;
    this.#installed = release;
  }

  /**
   * Called at a boot: the last installed release runs. On its first run, stored parameters of the old release are
   * migrated. After a power cut in between, this is repeated.
   */
  async boot(state: StoredState): Promise<void> {
    this.#release = this.#installed;
    if (this.#before === undefined) return;
    const parameters = carriedOver(state.content.parameters, this.#before, this.#release);
    if (parameters !== state.content.parameters)
      await state.update((content) => ({ ...content, parameters }));
    await this.#write({ release: this.#release, createdWith: this.#createdWith });
    this.#before = undefined;
  }

  async #write(content: Content): Promise<void> {
    await this.#documents.write(firmwareDocument, { ...content });
  }
}

/** The release in the document of a scanner, which is the running one. Undefined if it cannot be read. */
export function releaseIn(document: Uint8Array): Release | undefined {
  try {
    return contentOf(decodeDocument(document)).release;
  } catch (error) {
    if (error instanceof UnreadableDocument) return undefined;
    throw error;
  }
}

function contentOf({ release, createdWith, before }: Record<string, unknown>): Content {
  if (typeof release === 'string' && isRelease(release)) {
    if (typeof createdWith === 'string' && isRelease(createdWith)) {
      if (before === undefined) return { release, createdWith };
      if (typeof before === 'string' && isRelease(before)) return { release, createdWith, before };
    }
  }
  throw new UnreadableDocument('expected releases');
}

/**
 * Migrates stored parameters to a newer release. Their values stay, and the successor of a variable gets its value: a
 * disabled device search stays disabled.
 */
export function carriedOver(parameters: ValueSet, from: Release, to: Release): ValueSet {
  if (isFrom(from, '2.1.0') || !isFrom(to, '2.1.0') || parameters.EnableColaScan !== false) return parameters;
  return { ...parameters, EtherLegacyScanMode: LegacyScanMode.DISABLED };
}
