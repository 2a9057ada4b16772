import type { X509Certificate } from 'node:crypto';
import { BundleFault } from './pem.js';

/** As many names, and as many characters of each text, as the specification lets certificateBundleInfo tell. */
const mostNames = 20;
const longestText = 1000;
const longestDigits = 119;

/** Control characters and halves of characters, which no string of the interface may hold. */
const untold = /[\p{Cc}\p{Cs}]/gu;

/** What certificateBundleInfo tells of a certificate, within its limits: what is longer is cut off. */
export function descriptionOf(certificate: X509Certificate) {
  const { subjectAltName, issuer, subject, serialNumber, fingerprint256 } = certificate;
  const { notBefore, notAfter } = validityOf(certificate);
  return {
    names: namesOf(subjectAltName ?? '').map((entry) => ({ entry })),
    issuer: text(inOneLine(issuer)),
    subject: text(inOneLine(subject)),
    serialNumber: inPairs(serialNumber).slice(0, longestDigits),
    fingerprint: fingerprint256.slice(0, longestDigits),
    validNotBefore: isoTime(notBefore),
    validNotAfter: isoTime(notAfter),
  };
}

/** The first of the alternative names, with their kinds: `DNS:scanner.local`, `IP Address:192.168.0.1`. */
function namesOf(subjectAltName: string): readonly string[] {
  const entries = subjectAltName.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return entries.slice(0, mostNames).map((entry) => text(unquoted(entry.trimStart())));
}

/** Node writes names with commas and quotes in them as JSON strings. */
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

function text(whole: string): string {
  return [...whole.replaceAll(untold, '\ufffd')].slice(0, longestText).join('');
}

/** `01ABCD` as `01:AB:CD`. */
function inPairs(digits: string): string {
  return (digits.match(/../g) ?? []).join(':');
}

/** From when until when a certificate is valid, in milliseconds since 1970-01-01T00:00 UTC. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @throws BundleFault for dates that cannot be read. */
export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { notBefore: timeOf(validFrom), notAfter: timeOf(validTo) };
}

/** ISO 8601 in UTC with milliseconds: 24 characters, as the years of certificates end with 9999. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** What OpenSSL prints, as `Jan  5 09:34:43 2026 GMT`. `Date.parse` would take the year 0049 for 2049. */
function timeOf(text: string): number {
  const [, month = '', day, hour, minute, second, year] =
    /^([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{1,4}) GMT$/.exec(text) ?? [];
  const index = months.indexOf(month);
  if (index < 0) throw new BundleFault('The dates of a certificate cannot be read');
  const date = new Date(Date.UTC(2000, index, Number(day), Number(hour), Number(minute), Number(second)));
  return date.setUTCFullYear(Number(year), index, Number(day));
}
