import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';
import { type CertificateBundle, ScannerError } from '@azimuth/client';
import { certificateValidity, counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { scannerAt } from '../scanners/connection.js';
import { fileNameFor } from '../scanners/file-per-scanner.js';
import { type Target, targetFileName } from '../scanners/target.js';
import { type Authority, certificateOf, certificatesIn, validityFromNow } from './authority.js';
import type { HttpsPlace } from './handshake.js';
import { issueForScanner } from './issued-certificate.js';

/** A certificate for a scanner, with what its clients trust. */
export interface NewCertificate {
  readonly leaf: X509Certificate;
  readonly bundle: CertificateBundle;
}

/** A source of certificates. */
export interface CertificateSource {
  /** In PEM, what clients are to trust; undefined: what Node trusts. */
  readonly trusted: readonly string[] | undefined;
  newFor(target: Target): Promise<NewCertificate>;
}

/** The number of days that the certificate of a scanner is valid, or why it has none. */
export type DaysLeft = number | 'none' | 'expired' | 'unknown';

/** Reads how long the certificate of a scanner is valid. @throws CommandFailure for a release without HTTPS */
export async function daysLeft(target: Pick<Target, 'url'>): Promise<DaysLeft> {
  const [first] = await certificatesOf(target);
  if (first === undefined) return 'none';
  const validity = certificateValidity(first, Date.now());
  if ('days' in validity) return validity.days;
  return validity.state === 'expired' ? 'expired' : 'unknown';
}

async function certificatesOf(target: Pick<Target, 'url'>) {
  try {
    return (await scannerAt(target).read('certificateBundleInfo')).certificates;
  } catch (error) {
    if (!(error instanceof ScannerError && error.statusName === 'notFound')) throw error;
    throw new CommandFailure('its release has no HTTPS: certificates came with 2.1.0', 'refused');
  }
}

/** True if a certificate is to be renewed. What cannot be read counts as none. */
export function isDue(left: DaysLeft, below: number): boolean {
  return typeof left !== 'number' || left < below;
}

/** Returns `12 days left`, `no certificate`, `it has expired`. */
export function daysText(left: DaysLeft): string {
  if (typeof left === 'number') return `${counted(left, 'day')} left`;
  return left === 'none'
    ? 'no certificate'
    : left === 'expired'
      ? 'it has expired'
      : 'its dates cannot be read';
}

/** Returns host and port of HTTPS: the port of its URL, of `--https-port`, of the devices file, else at 443. */
export function httpsPlaceOf(
  { url, httpsPort }: Pick<Target, 'url' | 'httpsPort'>,
  given?: number,
): HttpsPlace {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol === 'https:') return { host, port: port === '' ? 443 : Number(port) };
  return { host, port: given ?? httpsPort ?? 443 };
}

/** Issues certificates by an authority of one's own. */
export class OwnAuthority implements CertificateSource {
  readonly trusted: readonly string[];
  readonly #authority: Authority;
  readonly #days: number;
  readonly #names: readonly string[];

  /** @param names further names of each scanner, with placeholders */
  constructor(authority: Authority, days: number, names: readonly string[]) {
    this.#authority = authority;
    this.trusted = authority.chain;
    this.#days = days;
    this.#names = names;
  }

  async newFor(target: Target): Promise<NewCertificate> {
    const { certificate, chain } = this.#authority;
    const names = [
      ...(await knownNames(target)),
      ...this.#names.map((name) => hostName(fileNameFor(name, target))),
    ];
    const validity = validityFromNow(this.#days, Date.parse(certificate.validTo));
    const issued = issueForScanner(this.#authority, target.label, [...new Set(names)], validity);
    // Clients have the root: only what is between it and the scanner is sent.
    const between = chain.filter((pem) => !isSelfSigned(new X509Certificate(pem)));
    return {
      leaf: new X509Certificate(issued.certificate),
      bundle: { certificates: [issued.certificate, ...between].join('\n'), privateKey: issued.privateKey },
    };
  }
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate);
}

/**
 * Returns the names of a scanner that its operator knows: the host of its URL, and its addresses. What a scanner says of
 * itself does not count: a hostile one could get a certificate for the name of another.
 */
async function knownNames({ url }: Pick<Target, 'url'>): Promise<readonly string[]> {
  const { host } = httpsPlaceOf({ url });
  if (isIP(host) > 0) return [host];
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return [host, ...addresses.map(({ address }) => address)];
}

/** Returns a host name or an address as a certificate has it: letters of other scripts in Punycode. @throws CommandFailure */
function hostName(name: string): string {
  if (isIP(name) > 0) return name;
  const ascii = domainToASCII(name);
  if (/^(\*\.)?[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63})*$/.test(ascii)) return ascii;
  throw new CommandFailure(`--name: expected a host name or an address, got ${JSON.stringify(name)}`);
}

/** Takes certificates from a folder that another program renews: `NAME.pem`, leaf first, and `NAME.key`. */
export class CertificateFolder implements CertificateSource {
  readonly trusted: readonly string[] | undefined;
  readonly #folder: string;
  readonly #below: number;

  /** @param below a certificate with fewer days would be renewed again at once */
  constructor(folder: string, below: number, trusted: readonly string[] | undefined) {
    this.#folder = folder;
    this.#below = below;
    this.trusted = trusted;
  }

  async newFor(target: Target): Promise<NewCertificate> {
    const path = join(this.#folder, targetFileName(target));
    const certificates = await readTextFile(`${path}.pem`, { limit: maxFileBytes.pem });
    const privateKey = await readTextFile(`${path}.key`, { limit: maxFileBytes.pem });
    const leaf = certificateOf(certificatesIn(certificates)[0] ?? '', `${path}.pem`);
    const validity = certificateValidity(
      { validNotBefore: leaf.validFrom, validNotAfter: leaf.validTo },
      Date.now(),
    );
    if ('days' in validity && validity.days >= this.#below)
      return { leaf, bundle: { certificates, privateKey } };
    throw new CommandFailure(
      `${path}.pem is valid until ${leaf.validTo}: expected ${counted(this.#below, 'day')} or more. Nothing was changed`,
    );
  }
}
