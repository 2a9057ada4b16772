import { type KeyObject, X509Certificate } from 'node:crypto';
import {
  type CertificateContent,
  contentsOf,
  descriptionOf,
  type Validity,
  validityOf,
} from './certificate-description.js';
import {
  BundleError,
  bytesOf,
  fits,
  keyProblem,
  leastBits,
  leastBitsOfAuthorities,
  type PemBlock,
  pemBlocks,
  privateKeyOf,
} from './private-key.js';

const serverAuthentication = '1.3.6.1.5.5.7.3.1';
const anyUsage = '2.5.29.37.0';

/** Certificates, leaf first, and the private key of the leaf. They belong together, and are valid for HTTPS. */
export class CertificateBundle {
  readonly uuid: string;
  readonly certificates: readonly X509Certificate[];
  readonly #key: KeyObject;
  readonly #validities: readonly Validity[];

  private constructor(
    uuid: string,
    certificates: readonly X509Certificate[],
    contents: readonly (CertificateContent | undefined)[],
    privateKey: string,
    least: number,
  ) {
    this.uuid = uuid;
    this.certificates = certificates;
    for (const [index, certificate] of certificates.entries()) {
      checkStrength(certificate, contents[index], index + 1, index === 0 ? least : leastBitsOfAuthorities);
    }
    const [leaf] = certificates;
    if (leaf === undefined) throw new TypeError('certificatesOf answers one at least');
    checkUsage(leaf, contents[0]);
    this.#validities = certificates.map(validityOf);
    // Checked after the dates: most of these certificates have unreadable dates, an error with its own message.
    const unread = contents.indexOf(undefined);
    if (unread >= 0) throw unreadable(unread + 1);
    this.#key = privateKeyOf(privateKey);
    // A key of another certificate may have any size, so it is checked before it signs anything.
    const mistake = keyProblem(this.#key, least);
    if (mistake !== undefined) throw new BundleError(`The private key is not accepted: ${mistake}`);
    if (!fits(this.#key, leaf)) throw new BundleError('The private key does not belong to certificate 1');
  }

  /**
   * Checks everything but the dates, in this order: PEM, number, links, keys, signatures, usage, private key.
   * @param acceptsShortKeys true: the scanner's own RSA key may be as short as those of authorities
   * @throws BundleError
   */
  static async of(
    uuid: string,
    certificates: string,
    privateKey: string,
    acceptsShortKeys = false,
  ): Promise<CertificateBundle> {
    const chain = certificatesOf(certificates);
    checkChain(chain);
    const least = acceptsShortKeys ? leastBitsOfAuthorities : leastBits;
    return new CertificateBundle(uuid, chain, await contentsOf(chain), privateKey, least);
  }

  /** The certificates as certificateBundleInfo describes them. */
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

  /** End of the validity of the first certificate that expires, in ms since 1970 UTC. */
  get expiry(): number {
    return Math.min(...this.#validities.map(({ notAfter }) => notAfter));
  }

  /** The problem of the dates at this time (ms since 1970 UTC); undefined if there is none. */
  dateError(utc: number): BundleError | undefined {
    for (const [index, { notBefore, notAfter }] of this.#validities.entries()) {
      const name = `Certificate ${index + 1}`;
      if (utc > notAfter)
        return new BundleError(`${name} has expired: it was valid until ${new Date(notAfter).toISOString()}`);
      if (utc < notBefore)
        return new BundleError(`${name} is not valid before ${new Date(notBefore).toISOString()}`);
    }
    return undefined;
  }
}

/**
 * RSA (PKCS #1 v1.5) and ECDSA, each over SHA-256, SHA-384 and SHA-512, Ed25519 and Ed448.
 */
const goodSignatures: readonly string[] = [
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
  '1.3.101.113',
];

function checkStrength(
  certificate: X509Certificate,
  content: CertificateContent | undefined,
  number: number,
  least: number,
): void {
  const mistake = keyProblem(certificate.publicKey, least);
  if (mistake !== undefined) {
    throw new BundleError(`The key of certificate ${number} is not accepted: ${mistake}`);
  }
  if (content !== undefined && !goodSignatures.includes(content.signatureAlgorithm)) {
    throw new BundleError(
      `The signature of certificate ${number} is not accepted: RSA or ECDSA with SHA-2, or EdDSA`,
    );
  }
}

/** A certificate may name its purposes. Clients refuse a certificate for another purpose. */
function checkUsage(certificate: X509Certificate, content: CertificateContent | undefined): void {
  if (content?.maySign === false) {
    throw new BundleError('Certificate 1 is not for servers: its key usage lacks digitalSignature');
  }
  // Name of the extended key usage in Node.
  const usages: readonly string[] | undefined = certificate.keyUsage;
  if (usages === undefined || usages.includes(serverAuthentication) || usages.includes(anyUsage)) return;
  throw new BundleError('Certificate 1 is not for servers: its extended key usage lacks serverAuth');
}

/** Number of certificates that fit into certificateBundleInfo. */
const mostCertificates = 4;

/**
 * The certificates of a PEM text in their order.
 * @throws BundleError
 */
function certificatesOf(text: string): readonly X509Certificate[] {
  const blocks = pemBlocks(text, 'The certificates');
  if (blocks.length === 0) {
    throw new BundleError('The certificates are missing: expected PEM with BEGIN CERTIFICATE');
  }
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) {
    throw new BundleError('The certificates contain a private key; put it into contentPrivateKey only');
  }
  if (blocks.some(({ label }) => label !== 'CERTIFICATE')) {
    throw new BundleError(
      'The certificates contain something other than certificates: expected only BEGIN CERTIFICATE',
    );
  }
  if (blocks.length > mostCertificates) {
    throw new BundleError(`More than ${mostCertificates} certificates`);
  }
  return blocks.map((block, index) => read(block, index + 1));
}

function read(block: PemBlock, number: number): X509Certificate {
  const bytes = bytesOf(block);
  try {
    if (bytes !== undefined) {
      const certificate = new X509Certificate(bytes);
      // Node reads the key only on first use, and ignores bytes after a certificate. So both are checked here.
      if (certificate.publicKey !== undefined && certificate.raw.equals(bytes)) return certificate;
    }
  } catch {
    // The message of OpenSSL does not help the sender.
  }
  throw unreadable(number);
}

function unreadable(number: number): BundleError {
  return new BundleError(`Certificate ${number} cannot be read: its PEM is damaged`);
}

/**
 * Checks that each certificate was issued by the next one: the leaf comes first. The issuer of the last one may be
 * missing. A leaf may have signed itself.
 * @throws BundleError
 */
function checkChain(certificates: readonly X509Certificate[]): void {
  checkOnce(certificates);
  for (const [index, certificate] of certificates.entries()) {
    const next = certificates[index + 1];
    if (next === undefined) return;
    if (!issued(next, certificate)) throw brokenLink(certificates, index);
    if (!next.ca)
      throw new BundleError(`Certificate ${index + 2} is not a CA certificate, so it may not issue others`);
  }
}

function checkOnce(certificates: readonly X509Certificate[]): void {
  for (const [index, { raw }] of certificates.entries()) {
    if (certificates.slice(0, index).some((before) => before.raw.equals(raw))) {
      throw new BundleError(`Certificate ${index + 1} appears twice`);
    }
  }
}

/** Names, key identifiers and the right to sign have to match, and the signature has to be valid. */
function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Returns the error for certificates that are not linked. If they are only out of order, the message says so. */
function brokenLink(certificates: readonly X509Certificate[], index: number): BundleError {
  const [certificate, next] = certificates.slice(index, index + 2);
  const isOutOfOrder = certificates.some(
    (other) =>
      other !== certificate &&
      certificate !== undefined &&
      (issued(other, certificate) || (other === next && issued(certificate, other))),
  );
  if (isOutOfOrder) {
    return new BundleError(
      'The certificates are out of order: the leaf comes first, then its issuer, and so on',
    );
  }
  return new BundleError(`Certificate ${index + 1} was not issued by certificate ${index + 2}`);
}
