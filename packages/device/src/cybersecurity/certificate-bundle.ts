import type { KeyObject, X509Certificate } from 'node:crypto';
import { BundleFault } from './bundle-fault.js';
import { descriptionOf, isoTime, type Validity, validityOf } from './certificate-description.js';
import { certificatesOf } from './certificates.js';
import { checkChain } from './chain.js';
import { isSignedWell, maySign } from './der.js';
import { fits, isGoodKey, privateKeyOf, wantedKeys } from './private-key.js';

const serverAuthentication = '1.3.6.1.5.5.7.3.1';
const anyUsage = '2.5.29.37.0';

/** Certificates, leaf first, and the private key of the leaf: they belong together, and are good for HTTPS. */
export class CertificateBundle {
  readonly uuid: string;
  readonly certificates: readonly X509Certificate[];
  readonly #key: KeyObject;
  readonly #validities: readonly Validity[];

  /**
   * Checks everything but the dates, in this order: PEM, number, links, keys, signatures, usage, private key.
   * @throws BundleFault
   */
  constructor(uuid: string, certificates: string, privateKey: string) {
    this.uuid = uuid;
    this.certificates = certificatesOf(certificates);
    checkChain(this.certificates);
    for (const [index, certificate] of this.certificates.entries()) checkStrength(certificate, index + 1);
    const [leaf] = this.certificates;
    if (leaf === undefined) throw new TypeError('certificatesOf answers one at least');
    checkUsage(leaf);
    this.#validities = this.certificates.map(validityOf);
    this.#key = privateKeyOf(privateKey);
    if (!fits(this.#key, leaf)) throw new BundleFault('The private key does not belong to certificate 1');
  }

  /** What certificateBundleInfo tells of them. */
  get descriptions() {
    return this.certificates.map(descriptionOf);
  }

  /** The certificates as PEM, leaf first. */
  get certificatesPem(): string {
    return this.certificates.map(String).join('');
  }

  /** The private key as PEM (PKCS #8). It goes into the TLS listener and the scanner's own folder, and nowhere else. */
  privateKeyPem(): string {
    return this.#key.export({ format: 'pem', type: 'pkcs8' }).toString();
  }

  /** From when on the first of them is not valid any more, in ms since 1970 UTC. */
  get expiry(): number {
    return Math.min(...this.#validities.map(({ notAfter }) => notAfter));
  }

  /** What is wrong with the dates at this time (ms since 1970 UTC), as far as something is. */
  dateFault(utc: number): BundleFault | undefined {
    for (const [index, { notBefore, notAfter }] of this.#validities.entries()) {
      const name = `Certificate ${index + 1}`;
      if (utc > notAfter)
        return new BundleFault(`${name} has expired: it was valid until ${isoTime(notAfter)}`);
      if (utc < notBefore)
        return new BundleFault(`${name} is not valid yet: only from ${isoTime(notBefore)} on`);
    }
    return undefined;
  }
}

function checkStrength(certificate: X509Certificate, number: number): void {
  if (!isGoodKey(certificate.publicKey)) {
    throw new BundleFault(`The key of certificate ${number} is not taken: ${wantedKeys}`);
  }
  if (!isSignedWell(certificate)) {
    throw new BundleFault(`The signature of certificate ${number} is not taken: RSA or ECDSA with SHA-2`);
  }
}

/** A certificate may say what it is for; clients refuse one for anything else. */
function checkUsage(certificate: X509Certificate): void {
  if (!maySign(certificate)) {
    throw new BundleFault('Certificate 1 is not for servers: its key usage lacks digitalSignature');
  }
  // Node calls the extended key usage so.
  const usages: readonly string[] | undefined = certificate.keyUsage;
  if (usages === undefined || usages.includes(serverAuthentication) || usages.includes(anyUsage)) return;
  throw new BundleFault('Certificate 1 is not for servers: its extended key usage lacks serverAuth');
}
