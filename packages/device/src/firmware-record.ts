import {
  builtInProduct,
  type Edition,
  firmwareVersion,
  isFrom,
  isNewerVersion,
  isRelease,
  LegacyScanMode,
  type Product,
  type ProductRelease,
  type Provenance,
  type Release,
  type Variant,
  versionTextOf,
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

/** Refuses a folder that belongs to another product, or to a version that the product does not have. */
export class OtherProduct extends Error {
  override readonly name = 'OtherProduct';
}

/** The document: versions of the product, which are releases for the built-in one. */
interface Content {
  readonly release: string;
  readonly createdWith: string;
  /** The version whose stored parameters still have to be migrated. */
  readonly before?: string | undefined;
  /** The name of the product; undefined for the built-in one. */
  readonly product?: string | undefined;
}

/** The running version of a scanner, and the version of its delivery. */
export class FirmwareRecord implements Provenance {
  readonly #documents: Documents;
  readonly #product: Product;
  #running: ProductRelease;
  /** The version of the next boot. */
  #installed: ProductRelease;
  #before: ProductRelease | undefined;
  readonly #first: ProductRelease;

  private constructor(
    documents: Documents,
    product: Product,
    running: ProductRelease,
    first: ProductRelease,
    before?: ProductRelease,
  ) {
    this.#documents = documents;
    this.#product = product;
    this.#running = running;
    this.#installed = running;
    this.#before = before;
    this.#first = first;
  }

  /**
   * Reads the record, or creates it for a new scanner with version `requested` (by default the newest). If the record
   * is lost, this is logged. Then a new one is created, unless the old one may be readable later.
   * @throws OtherProduct
   */
  static async load(
    documents: Documents,
    neverUsed: boolean,
    product: Product,
    requested: string | undefined,
  ): Promise<{ firmware: FirmwareRecord; lost: boolean }> {
    const found = await documents.find(firmwareDocument, loss, contentOf);
    if (found.state === 'whole') {
      return { firmware: FirmwareRecord.#of(documents, product, found.content), lost: false };
    }
    const running = requested === undefined ? newestOf(product) : versionNamed(requested, product);
    const firmware = new FirmwareRecord(documents, product, running, running);
    // Does not replace a record that may be readable later.
    if (!documents.isUnreadable(firmwareDocument)) await firmware.#write(running);
    const lost = found.state === 'lost' || !neverUsed;
    if (found.state === 'missing' && lost)
      documents.reportMissing(firmwareDocument, loss, { release: running.version });
    return { firmware, lost };
  }

  /** @throws OtherProduct */
  static #of(documents: Documents, product: Product, content: Content): FirmwareRecord {
    const { name: own } = product;
    const owner = content.product ?? builtInProduct.name;
    if (owner !== own)
      throw new OtherProduct(
        `The folder belongs to a scanner ${owner}, and this is a ${own}. Use another folder.`,
      );
    const named = (version: string) => {
      const release = product.releases.find((one) => one.version === version);
      if (release !== undefined) return release;
      const versions = product.releases.map((one) => one.version).join(', ');
      throw new OtherProduct(
        `The folder has version ${version}, and ${own} has only ${versions}. Use a newer definition of the product, or another folder.`,
      );
    };
    const { release, createdWith, before } = content;
    return new FirmwareRecord(
      documents,
      product,
      named(release),
      named(createdWith),
      before === undefined ? undefined : named(before),
    );
  }

  /** Remembers which version runs. The storage itself is put back by its owner. */
  remember(): () => void {
    const [running, installed, before] = [this.#running, this.#installed, this.#before];
    return () => {
      this.#running = running;
      this.#installed = installed;
      this.#before = before;
    };
  }

  /** The release of the interface that runs. */
  get release(): Release {
    return this.#running.base;
  }

  /** The version of the product that runs; undefined for the built-in product. */
  get version(): string | undefined {
    return this.#product === builtInProduct ? undefined : this.#running.version;
  }

  /** The release or the version that runs, as the log and files name it. */
  get runs(): string {
    return this.#running.version;
  }

  /** The version as DeviceIdent states it. */
  get versionText(): string {
    return versionTextOf(this);
  }

  /** The release of a version as DeviceIdent states it. Undefined for an unknown one, and for one that is newer. */
  releaseOf(versionText: string): Release | undefined {
    const { releases } = this.#product;
    const until = releases.indexOf(this.#running);
    return releases.slice(0, until + 1).find((one) => this.#textOf(one) === versionText)?.base;
  }

  #textOf({ version, base }: ProductRelease): string {
    return this.version === undefined ? firmwareVersion(base) : version;
  }

  /** Whether a version can be installed on this scanner. `newer`: than every version that this program knows. */
  standing(version: string): 'unknown' | 'older' | 'installable' | 'newer' {
    const { releases } = this.#product;
    const index = releases.findIndex((one) => one.version === version);
    if (index < 0) {
      const isNewer =
        /^\d+\.\d+\.\d+$/.test(version) && isNewerVersion(version, newestOf(this.#product).version);
      return isNewer ? 'newer' : 'unknown';
    }
    return index < releases.indexOf(this.#running) ? 'older' : 'installable';
  }

  /** The name of the software that runs: another product has other software with the same version. */
  get software(): string {
    return this.version === undefined ? this.release : `${this.#product.name} ${this.version}`;
  }

  get createdWith(): Release {
    return this.#first.base;
  }

  /** The interface of a scanner of this variant with the running version. */
  editionOf(variant: Variant): Edition {
    const { release, version } = this;
    return version === undefined
      ? { release, variant }
      : { release, variant, product: this.#product, version };
  }

  /**
   * Checks that a version may be installed on this scanner.
   * @throws DowngradeRefused, OtherProduct
   */
  accept(version: string): void {
    versionNamed(version, this.#product);
    if (this.standing(version) === 'installable') return;
    throw new DowngradeRefused(
      `The folder has release ${this.runs}, and ${version} is older. Omit --firmware or use another folder.`,
    );
  }

  /**
   * Updates a scanner that is started with a newer version: at its first boot, without a change of parameters and
   * enabled levels. On disk when the promise resolves, in one document: after a power cut it is the old version or the
   * new one.
   * @param keepsNewer an older version changes nothing
   * @throws DowngradeRefused for an older version
   */
  async updateOnStart(requested: string | undefined, keepsNewer = false): Promise<void> {
    if (requested === undefined || requested === this.runs) return;
    if (keepsNewer && this.standing(requested) === 'older') return;
    await this.install(requested);
  }

  /**
   * Runs this version from the next boot on. On disk when the promise resolves.
   * @throws DowngradeRefused
   */
  async install(version: string): Promise<void> {
    this.accept(version);
    const before = this.#before ?? this.#running;
    await this.#write(versionNamed(version, this.#product), before);
    this.installUnrecorded(version);
  }

  /**
   * Runs this version from the next boot of this process on. It is recorded at that boot. A process that starts in
   * place of this one decides itself which version it runs: the device may come up with its old firmware.
   */
  installUnrecorded(version: string): void {
    this.#before ??= this.#running;
    this.#installed = versionNamed(version, this.#product);
  }

  /**
   * Called at a boot: the last installed version runs. On its first run, stored parameters of the old version are
   * migrated. After a power cut in between, this is repeated.
   */
  async boot(state: StoredState): Promise<void> {
    this.#running = this.#installed;
    if (this.#before === undefined) return;
    const parameters = carriedOver(state.content.parameters, this.#before.base, this.release);
    if (parameters !== state.content.parameters)
      await state.update((content) => ({ ...content, parameters }));
    await this.#write(this.#running);
    this.#before = undefined;
  }

  async #write({ version }: ProductRelease, before?: ProductRelease): Promise<void> {
    const product = this.#product === builtInProduct ? undefined : this.#product.name;
    const content = { release: version, createdWith: this.#first.version, before: before?.version, product };
    await this.#documents.write(firmwareDocument, content);
  }
}

function newestOf({ name, releases }: Product): ProductRelease {
  const newest = releases.at(-1);
  if (newest === undefined) throw new TypeError(`the product ${name} has no version`);
  return newest;
}

/** @throws OtherProduct for a version that the product does not have */
function versionNamed(version: string, { name, releases }: Product): ProductRelease {
  const found = releases.find((one) => one.version === version);
  if (found !== undefined) return found;
  const versions = releases.map((one) => one.version).join(', ');
  throw new OtherProduct(`The release ${version} is unknown: ${name} has ${versions}.`);
}

/**
 * The release in the document of a scanner, which is the running one. Undefined if it cannot be read, or if the scanner
 * has versions of its own product.
 */
export function releaseIn(document: Uint8Array): Release | undefined {
  try {
    const { release } = contentOf(decodeDocument(document));
    return isRelease(release) ? release : undefined;
  } catch (error) {
    if (error instanceof UnreadableDocument) return undefined;
    throw error;
  }
}

function contentOf({ release, createdWith, before, product }: Record<string, unknown>): Content {
  if (product !== undefined && typeof product !== 'string')
    throw new UnreadableDocument('expected the name of a product');
  const isVersion = (one: unknown): one is string =>
    typeof one === 'string' && (product === undefined ? isRelease(one) : one !== '');
  if (isVersion(release) && isVersion(createdWith)) {
    if (before === undefined || isVersion(before)) return { release, createdWith, before, product };
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
