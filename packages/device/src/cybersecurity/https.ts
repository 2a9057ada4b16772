import { Mutex } from '@azimuth/async';
import { cybersecurity } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method, type PutBack } from '../feature.js';
import type { Clock } from '../interfaces/environment.js';
import { type Random, uuidOf } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { secretDocuments, UnreadableDocument } from '../storage/document.js';
import type { Documents, Found } from '../storage/documents.js';
import { CertificateBundle } from './certificate-bundle.js';
import { BundleError } from './private-key.js';

const { httpsStatus, certificateBundleInfo, setCertificateBundle, removeCertificateBundle } =
  cybersecurity.members;

const lostBundle = 'lost certificate bundle';

/** Interval in ms of the checks of the dates: timers are shorter than the life of a certificate. */
const longestWait = 24 * 3_600_000;
const longestText = 100;

const { certificates: name } = secretDocuments;
const loss = 'The certificate bundle is lost; HTTPS is down until one is set again';

/** The certificate bundle on disk (mode 0600). If a bundle was never set, there is no document. */
class BundleStore {
  readonly #documents: Documents;
  bundle: CertificateBundle | undefined;
  /** True if a bundle could not be read, and none was set or removed since. */
  isLost: boolean;

  private constructor(documents: Documents, found: Found<CertificateBundle | undefined>) {
    this.#documents = documents;
    this.bundle = found.state === 'whole' ? found.content : undefined;
    this.isLost = found.state === 'lost';
  }

  static async load(documents: Documents): Promise<BundleStore> {
    return new BundleStore(documents, await documents.find(name, loss, bundleOf));
  }

  /**
   * Replaces or removes (`undefined`) the bundle. On disk when the promise resolves.
   * @throws Refusal 3 if it cannot be stored; the old one stays
   */
  async set(bundle: CertificateBundle | undefined): Promise<void> {
    await this.#documents.store(name, 'The certificates', documentOf(bundle), { secret: true });
    this.bundle = bundle;
    this.isLost = false;
  }
}

interface Options {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly random: Random;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  /** True if RSA keys from 2048 bits on are accepted. Devices require more than 3072. False by default. */
  readonly acceptsShortKeys?: boolean;
}

/**
 * The certificate bundle, and the state of HTTPS. The HTTPS server reads the bundle at each `onChange`, and reports its
 * state with `report`. Dates are compared with the UTC of the host, because the device clock may never have been set.
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
        if (!(error instanceof BundleError)) throw error;
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
  readonly #store: BundleStore;
  readonly #listeners = new Set<() => void | Promise<void>>();
  /** The report of the server: it listens, or the reason why not. */
  #report: { readonly isListening: boolean; readonly problem: string | undefined } = {
    isListening: false,
    problem: undefined,
  };
  #announcedError = 'None';
  readonly #mutex = new Mutex();
  #cancelWatch: (() => void) | undefined;

  private constructor(options: Options, store: BundleStore) {
    this.#options = options;
    this.#store = store;
    options.conditions.setLost(lostBundle, store.isLost);
    this.#watch();
  }

  /** Reads the stored bundle. Does nothing without one. */
  static async load(options: Options): Promise<Https> {
    return new Https(options, await BundleStore.load(options.documents));
  }

  /** The bundle for HTTPS. Undefined if HTTPS must not listen. */
  get bundle(): CertificateBundle | undefined {
    return this.#store.bundle;
  }

  /** True if HTTPS is served. */
  get isUp(): boolean {
    return this.#report.isListening && this.bundle !== undefined;
  }

  /** The reason why HTTPS is not served; otherwise the problem of its certificates; otherwise `None`. */
  get error(): string {
    if (this.bundle === undefined || this.isUp) return this.bundleError;
    return this.#report.problem ?? this.bundleError;
  }

  /** The problem of the bundle; `None` if there is none. */
  get bundleError(): string {
    if (this.#store.isLost) return 'The certificate bundle is lost: set it again';
    return this.bundle?.dateError(this.#options.clock.utc())?.message ?? 'None';
  }

  /**
   * Sets a bundle. When the promise resolves, HTTPS uses it, or `error` has the reason for the failure.
   * @throws BundleError if it is not valid, Refusal 3 if it cannot be stored; then nothing has changed
   */
  async set(certificates: string, privateKey: string): Promise<CertificateBundle> {
    const { clock, random, acceptsShortKeys } = this.#options;
    const bundle = await CertificateBundle.of(uuidOf(random), certificates, privateKey, acceptsShortKeys);
    const problem = bundle.dateError(clock.utc());
    if (problem !== undefined) throw problem;
    await this.#mutex.run(async () => {
      await this.#store.set(bundle);
      this.#changed();
      await this.follow();
    });
    return bundle;
  }

  /** Removes the bundle from disk. HTTPS listens until `follow`, because the response may be sent over it. */
  async remove(): Promise<void> {
    await this.#mutex.run(async () => {
      await this.#store.set(undefined);
      this.#changed();
    });
  }

  /** Calls `listener` when HTTPS must use another `bundle`, or none. The listener must not throw. */
  onChange(listener: () => void | Promise<void>): void {
    this.#listeners.add(listener);
  }

  /** Calls the listeners of `onChange`. */
  async follow(): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener()));
  }

  /**
   * Called by the server when it starts or stops listening for HTTPS.
   * @param problem reason why it does not listen
   */
  report(isListening: boolean, problem?: string): void {
    const wasUp = this.isUp;
    this.#report = { isListening, problem: problem?.slice(0, longestText) };
    const { announcements } = this.#options;
    if (this.isUp !== wasUp || this.error !== this.#announcedError) announcements.changed([httpsStatus]);
    this.#announcedError = this.error;
  }

  /** Remembers the bundle. The storage itself is put back by its owner. */
  remember(): PutBack {
    const { bundle, isLost } = this.#store;
    return () => {
      if (this.#store.bundle === bundle && this.#store.isLost === isLost) return undefined;
      this.#store.bundle = bundle;
      this.#store.isLost = isLost;
      this.#watch();
      this.#options.announcements.changed([httpsStatus, certificateBundleInfo]);
      return this.follow();
    };
  }

  end(): void {
    this.#cancelWatch?.();
  }

  #changed(): void {
    const { announcements, conditions } = this.#options;
    conditions.setLost(lostBundle, false);
    this.#watch();
    announcements.changed([httpsStatus, certificateBundleInfo]);
  }

  /** Announces the new state when the next certificate expires. */
  #watch(): void {
    this.#cancelWatch?.();
    this.#announcedError = this.error;
    const { bundle } = this;
    const { clock, announcements } = this.#options;
    if (bundle === undefined || bundle.expiry < clock.utc()) return;
    const wait = Math.min(longestWait, bundle.expiry - clock.utc() + 1);
    this.#cancelWatch = clock.after(wait, () => {
      const before = this.#announcedError;
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

/** Skips the checks of dates and key lengths: an accepted bundle stays valid. */
async function bundleOf(document: Record<string, unknown>): Promise<CertificateBundle | undefined> {
  const { uuid, certificates, privateKey } = document;
  if (Object.keys(document).length === 0) return undefined;
  if (typeof uuid !== 'string' || typeof certificates !== 'string' || typeof privateKey !== 'string') {
    throw new UnreadableDocument('expected certificates and a key');
  }
  try {
    return await CertificateBundle.of(uuid, certificates, privateKey, true);
  } catch (error) {
    if (error instanceof BundleError) throw new UnreadableDocument(error.message);
    throw error;
  }
}
