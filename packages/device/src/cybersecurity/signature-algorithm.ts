import type { X509Certificate } from 'node:crypto';
import { derValues, dotted, objectIdentifier, sequence } from './der.js';

/** RSA (PKCS #1 v1.5) and ECDSA over SHA-256, SHA-384 and SHA-512: what every client of today takes. */
const taken: readonly string[] = [
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
];

/** Is a certificate signed so that clients take it? (Node tells the algorithm from version 24 on.) */
export function isSignedWell({ raw }: X509Certificate): boolean {
  const algorithm = signatureAlgorithmOf(raw);
  return algorithm !== undefined && taken.includes(algorithm);
}

/** RFC 5280 §4.1: a sequence of the content, the algorithm and the signature. */
function signatureAlgorithmOf(certificate: Buffer): string | undefined {
  const [outer] = derValues(certificate) ?? [];
  if (outer?.tag !== sequence) return undefined;
  const [, algorithm] = derValues(outer.content) ?? [];
  if (algorithm?.tag !== sequence) return undefined;
  const [identifier] = derValues(algorithm.content) ?? [];
  return identifier?.tag === objectIdentifier ? dotted(identifier.content) : undefined;
}
