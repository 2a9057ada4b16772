import { UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';
import { BundleFault } from './bundle-fault.js';
import { CertificateBundle } from './certificate-bundle.js';

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

function documentOf(bundle: CertificateBundle | undefined): Record<string, unknown> {
  if (bundle === undefined) return {};
  const { uuid, certificatesPem } = bundle;
  return { uuid, certificates: certificatesPem, privateKey: bundle.privateKeyPem() };
}

/** Dates are not looked at: a certificate that has expired since is still the one that was set. */
function bundleOf(document: Record<string, unknown>): CertificateBundle | undefined {
  const { uuid, certificates, privateKey } = document;
  if (Object.keys(document).length === 0) return undefined;
  if (typeof uuid !== 'string' || typeof certificates !== 'string' || typeof privateKey !== 'string') {
    throw new UnreadableDocument('certificates and a key expected');
  }
  try {
    return new CertificateBundle(uuid, certificates, privateKey);
  } catch (error) {
    if (error instanceof BundleFault) throw new UnreadableDocument(error.message);
    throw error;
  }
}
