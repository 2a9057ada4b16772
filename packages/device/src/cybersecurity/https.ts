import { cybersecurity } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import { type Random, uuidOf } from '../interfaces/random.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';
import { Mutex } from '../storage/mutex.js';
import { CertificateBundle } from './certificate-bundle.js';
import { BundleFault } from './pem.js';

const { httpsStatus, certificateBundleInfo, setCertificateBundle, removeCertificateBundle } =
  cybersecurity.members;

const lostBundle = 'lost certificate bundle';

/** How long (ms) until the dates are looked at again: timers do not reach as far as certificates do. */
const longestWait = 24 * 3_600_000;
const longestText = 100;

const name = 'certificates.json';
const loss = 'The certificate bundle is lost; HTTPS is down until one is set again';

/** The certificate bundle on disk (mode 0600), stored at once. A folder that never had one has no document. */
export class BundleStore {
  readonly #documents: Documents;
  #bundle: CertificateBundle | undefined;
  #isLost: boolean;

  private constructor(documents: Documents, bundle: CertificateBundle | undefined, isLost: boolean) {
    this.#documents = documents;
    this.#bundle = bundle;
    this.#isLost = isLost;
  }

  static async load(documents: Documents): Promise<BundleStore> {
    const found = await documents.find(name, loss, bundleOf);
    return new BundleStore(
      documents,
      found.state === 'whole' ? found.content : undefined,
      found.state === 'lost',
    );
  }

  get bundle(): CertificateBundle | undefined {
    return this.#bundle;
  }

  /** Was there a bundle that could not be read, and none set or removed since? */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Takes a bundle in place of the one before, or none; on disk when the promise is fulfilled.
   * @throws Fault with status 3 where it cannot be stored; the one before is still there.
   */
  async set(bundle: CertificateBundle | undefined): Promise<void> {
    await this.#documents.store(name, 'The certificates', documentOf(bundle), { secret: true });
    this.#bundle = bundle;
    this.#isLost = false;
  }
}

interface Options {
  readonly store: BundleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
}

/**
 * The certificate bundle in force, and how HTTPS is. The wire follows `onChange` and tells what came of it; dates are
 * those of the host's UTC, since the scanner's own clock may never have been set.
 */
export class Https implements Feature {
  readonly computed = [
    computed(httpsStatus, () => ({ enabled: this.isUp, errorCode: { error: this.error } })),
    computed(certificateBundleInfo, () => ({
      uuidBundle: this.bundle?.uuid ?? '',
      certificates: this.bundle?.descriptions ?? [],
      errorCode: { error: this.bundleError },
    })),
  ];
  readonly methods = [
    method(setCertificateBundle, async ({ contentCertificateBundle, contentPrivateKey }, { log }) => {
      try {
        const { uuid, certificates } = await this.set(contentCertificateBundle, contentPrivateKey);
        const [leaf] = certificates;
        log.info('A certificate bundle was set', { uuid, fingerprint: leaf?.fingerprint256 });
      } catch (error) {
        if (!(error instanceof BundleFault)) throw error;
        log.warn('A certificate bundle was refused', { reason: error.message });
        return { success: false, errorCode: { error: error.message } };
      }
      return { success: true, errorCode: { error: this.error } };
    }),
    method(removeCertificateBundle, async (_, { log, afterwards }) => {
      await this.remove();
      log.info('The certificate bundle was removed');
      afterwards(() => void this.follow());
      return { success: true, errorCode: { error: 'None' } };
    }),
  ];
  readonly #options: Options;
  readonly #listeners = new Set<() => void | Promise<void>>();
  #up = false;
  #problem: string | undefined;
  #told = 'None';
  readonly #mutex = new Mutex();
  #cancelWatch: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
    options.conditions.setLost(lostBundle, options.store.isLost);
    this.#watch();
  }

  /** What HTTPS is to run with; undefined where it is to be down. */
  get bundle(): CertificateBundle | undefined {
    return this.#options.store.bundle;
  }

  /** Does a wire serve HTTPS? */
  get isUp(): boolean {
    return this.#up && this.bundle !== undefined;
  }

  /** What keeps HTTPS from running; else what is wrong with the certificates it runs with; else None. */
  get error(): string {
    if (this.bundle === undefined || this.isUp) return this.bundleError;
    return this.#problem ?? this.bundleError;
  }

  /** What is wrong with the bundle. */
  get bundleError(): string {
    const { store, clock } = this.#options;
    if (store.isLost) return 'The certificate bundle is lost: set it again';
    return store.bundle?.dateFault(clock.utc())?.message ?? 'None';
  }

  /**
   * Takes a bundle; HTTPS runs with it when the promise is fulfilled, or `error` says why not.
   * @throws BundleFault where something is wrong with it, Fault 3 where it cannot be stored: nothing has changed then.
   */
  async set(certificates: string, privateKey: string): Promise<CertificateBundle> {
    const { store, clock, random } = this.#options;
    const bundle = await CertificateBundle.of(uuidOf(random), certificates, privateKey);
    const fault = bundle.dateFault(clock.utc());
    if (fault !== undefined) throw fault;
    await this.#mutex.run(async () => {
      await store.set(bundle);
      this.#changed();
      await this.follow();
    });
    return bundle;
  }

  /** Removes the bundle from disk. The wire is not told before `follow`: the answer may be on its way over it. */
  async remove(): Promise<void> {
    await this.#mutex.run(async () => {
      await this.#options.store.set(undefined);
      this.#changed();
    });
  }

  /** Calls `listener` to bring the wire into line with `bundle`; it must not throw. */
  onChange(listener: () => void | Promise<void>): void {
    this.#listeners.add(listener);
  }

  async follow(): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener()));
  }

  /** The wire tells whether it is up, and what keeps it from being. */
  tell(up: boolean, problem?: string): void {
    const wasUp = this.isUp;
    this.#up = up;
    this.#problem = problem?.slice(0, longestText);
    const { announcements } = this.#options;
    if (this.isUp !== wasUp || this.error !== this.#told) announcements.changed([httpsStatus]);
    this.#told = this.error;
  }

  /** Power goes off: no date is watched any more. */
  end(): void {
    this.#cancelWatch?.();
  }

  #changed(): void {
    const { announcements, conditions } = this.#options;
    conditions.setLost(lostBundle, false);
    this.#watch();
    announcements.changed([httpsStatus, certificateBundleInfo]);
  }

  /** Looks at the dates when the next certificate expires, and tells. */
  #watch(): void {
    this.#cancelWatch?.();
    this.#told = this.error;
    const { bundle } = this;
    const { clock, announcements } = this.#options;
    if (bundle === undefined || bundle.expiry < clock.utc()) return;
    const wait = Math.min(longestWait, bundle.expiry - clock.utc() + 1);
    this.#cancelWatch = clock.after(wait, () => {
      const before = this.#told;
      this.#watch();
      if (this.error !== before) announcements.changed([httpsStatus, certificateBundleInfo]);
    });
  }
}

function documentOf(bundle: CertificateBundle | undefined): Record<string, unknown> {
  if (bundle === undefined) return {};
  const { uuid, certificatesPem } = bundle;
  return { uuid, certificates: certificatesPem, privateKey: bundle.privateKeyPem() };
}

/** Dates are not looked at: a certificate that has expired since is still the one that was set. */
async function bundleOf(document: Record<string, unknown>): Promise<CertificateBundle | undefined> {
  const { uuid, certificates, privateKey } = document;
  if (Object.keys(document).length === 0) return undefined;
  if (typeof uuid !== 'string' || typeof certificates !== 'string' || typeof privateKey !== 'string') {
    throw new UnreadableDocument('expected certificates and a key');
  }
  try {
    return await CertificateBundle.of(uuid, certificates, privateKey);
  } catch (error) {
    if (error instanceof BundleFault) throw new UnreadableDocument(error.message);
    throw error;
  }
}
