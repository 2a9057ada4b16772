import type { X509Certificate } from 'node:crypto';

/** One value in DER: its tag, and the bytes in it. */
export interface Der {
  readonly tag: number;
  readonly content: Buffer;
}

export const sequence = 0x30;
export const objectIdentifier = 0x06;

/** The values that stand one after the other; undefined where the bytes end within one. */
export function derValues(bytes: Buffer): readonly Der[] | undefined {
  const values: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first & 0x7f;
    if (more > 4) return undefined;
    const start = at + 2 + more;
    if (start > bytes.length) return undefined;
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
    if (start + length > bytes.length) return undefined;
    values.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}

/** An object identifier in figures and dots. */
export function dotted(content: Buffer): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  const [joint = 0, ...others] = numbers;
  const first = Math.min(2, Math.floor(joint / 40));
  return [first, joint - 40 * first, ...others].join('.');
}

const extensionsTag = 0xa3;
const octetString = 0x04;
const keyUsage = '2.5.29.15';
const digitalSignature = 0x80;

/**
 * May the key of a certificate sign, as TLS with an ephemeral key has it do? One that does not say what its key is for
 * may do all (RFC 5280 §4.2.1.3). Node tells the extended key usage only.
 */
export function maySign({ raw }: X509Certificate): boolean {
  const [certificate] = derValues(raw) ?? [];
  const [content] = derValues(certificate?.content ?? Buffer.alloc(0)) ?? [];
  const extensions = valuesIn(content?.content).find(({ tag }) => tag === extensionsTag);
  const [list] = valuesIn(extensions?.content);
  for (const extension of valuesIn(list?.content)) {
    const parts = valuesIn(extension.content);
    const [identifier] = parts;
    if (identifier?.tag !== objectIdentifier || dotted(identifier.content) !== keyUsage) continue;
    const [bits] = valuesIn(parts.find(({ tag }) => tag === octetString)?.content);
    // The first byte tells how many bits of the last one do not count.
    return ((bits?.content[1] ?? 0) & digitalSignature) !== 0;
  }
  return true;
}

function valuesIn(bytes: Buffer | undefined) {
  return bytes === undefined ? [] : (derValues(bytes) ?? []);
}

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
