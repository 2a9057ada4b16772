import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isObject } from '@azimuth/model';

/**
 * Returns a document with its signature: Ed25519 over its canonical form (RFC 8785), in base64. The public key beside it tells
 * which key it was. Before you trust a report, compare that key with one that you have.
 * @param key private Ed25519 key
 */
export function signedReport(
  document: Readonly<Record<string, unknown>>,
  key: KeyObject,
): Readonly<Record<string, unknown>> {
  const value = sign(null, Buffer.from(canonicalJson(document)), key).toString('base64');
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { ...document, signature: { algorithm: 'Ed25519', canonicalForm: 'RFC 8785', publicKey, value } };
}

/**
 * Returns true if a document was signed with this key, and was not changed since.
 * @param key public Ed25519 key
 */
export function isSignedReport(document: unknown, key: KeyObject): boolean {
  if (!isObject(document)) return false;
  const { signature, ...rest } = document;
  if (!isObject(signature) || typeof signature.value !== 'string') return false;
  return verify(null, Buffer.from(canonicalJson(rest)), key, Buffer.from(signature.value, 'base64'));
}

/** Returns JSON in its canonical form: members sorted by their names (UTF-16), no blanks. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (!isObject(member)) return member;
    return Object.fromEntries(
      Object.keys(member)
        .sort()
        .map((name) => [name, member[name]]),
    );
  });
}
