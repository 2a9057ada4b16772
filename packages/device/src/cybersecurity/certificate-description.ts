import type { X509Certificate } from 'node:crypto';
import { BundleError } from './private-key.js';

/** Limits for names and characters in certificateBundleInfo (specification). */
const mostNames = 20;
const longestText = 1000;
const longestDigits = 119;

/** Control characters and single surrogates. No string of the interface may contain them. */
const notAllowed = /[\p{Cc}\p{Cs}]/gu;

/** A certificate as described in certificateBundleInfo. Longer texts are cut off. */
export function descriptionOf(certificate: X509Certificate) {
  const { subjectAltName, issuer, subject, serialNumber, fingerprint256 } = certificate;
  const { notBefore, notAfter } = validityOf(certificate);
  return {
    names: namesOf(subjectAltName ?? '').map((entry) => ({ entry })),
    issuer: limitText(inOneLine(issuer)),
    subject: limitText(inOneLine(subject)),
    serialNumber: inPairs(serialNumber).slice(0, longestDigits),
    fingerprint: fingerprint256.slice(0, longestDigits),
    // Years of certificates end with 9999: 24 characters.
    validNotBefore: new Date(notBefore).toISOString(),
    validNotAfter: new Date(notAfter).toISOString(),
  };
}

/** The first of the alternative names, with their kinds: `DNS:scanner.local`, `IP Address:192.168.0.1`. */
function namesOf(subjectAltName: string): readonly string[] {
  const entries = subjectAltName.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return entries.slice(0, mostNames).map((entry) => limitText(unquoted(entry.trimStart())));
}

/** Node writes names that contain commas and quotes as JSON strings. */
function unquoted(entry: string): string {
  const [, kind, quoted] = /^([^"]*:)("(?:[^"\\]|\\.)*")$/s.exec(entry) ?? [];
  if (quoted === undefined) return entry;
  const name: unknown = JSON.parse(quoted);
  return `${kind}${name}`;
}

/** Node writes a line for each part of a name. */
function inOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}

function limitText(content: string): string {
  return [...content.replaceAll(notAllowed, '\ufffd')].slice(0, longestText).join('');
}

/** `01ABCD` as `01:AB:CD`. */
function inPairs(digits: string): string {
  return (digits.match(/../g) ?? []).join(':');
}

/** Validity of a certificate, in milliseconds since 1970-01-01T00:00 UTC. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @throws BundleError for dates that cannot be read. */
export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { notBefore: timeOf(validFrom), notAfter: timeOf(validTo) };
}

/** The format of OpenSSL: `Jan  5 09:34:43 2026 GMT`. `Date.parse` would read the year 0049 as 2049. */
function timeOf(text: string): number {
  const [, month = '', day, hour, minute, second, year] =
    /^([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{1,4}) GMT$/.exec(text) ?? [];
  const index = months.indexOf(month);
  if (index < 0) throw new BundleError('The dates of a certificate cannot be read');
  const date = new Date(Date.UTC(2000, index, Number(day), Number(hour), Number(minute), Number(second)));
  return date.setUTCFullYear(Number(year), index, Number(day));
}

/** Properties of a certificate that node:crypto of Node 20 does not read. */
export interface CertificateContent {
  /** Object identifier of the signature algorithm. */
  readonly signatureAlgorithm: string;
  /**
   * True if the key may sign, as TLS with an ephemeral key requires. A certificate that does not restrict its key
   * allows everything (RFC 5280 §4.2.1.3).
   */
  readonly maySign: boolean;
}

/** The contents of certificates in order. Undefined for a certificate that violates RFC 5280. */
export async function contentsOf(
  certificates: readonly X509Certificate[],
): Promise<readonly (CertificateContent | undefined)[]> {
  // Loaded with the first bundle: loading costs 5 MB and more than 10 ms at a start.
  const [{ AsnConvert }, { Certificate, id_ce_keyUsage, KeyUsage }] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ]);

  function parse<T>(bytes: Uint8Array | ArrayBuffer, type: new () => T): T | undefined {
    try {
      return AsnConvert.parse(bytes, type);
    } catch {
      return undefined;
    }
  }

  function contentOf({ raw }: X509Certificate): CertificateContent | undefined {
    const certificate = parse(raw, Certificate);
    if (certificate === undefined) return undefined;
    const { signatureAlgorithm, tbsCertificate } = certificate;
    const usage = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_keyUsage);
    return {
      signatureAlgorithm: signatureAlgorithm.algorithm,
      maySign:
        usage === undefined ||
        (parse(usage.extnValue.buffer, KeyUsage)?.toJSON().includes('digitalSignature') ?? false),
    };
  }

  return certificates.map(contentOf);
}
