import type { X509Certificate } from 'node:crypto';
import { isoTime, validityOf } from './validity.js';

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
