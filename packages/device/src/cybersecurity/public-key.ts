import type { KeyObject } from 'node:crypto';

const fewestBits = 2048;
/** P-256, P-384 and P-521, as OpenSSL calls them. */
const curves: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/** What is wanted of keys, in words. Browsers take no Ed25519 and no RSA-PSS keys. */
export const wantedKeys = `RSA from ${fewestBits} bits, or EC on P-256, P-384 or P-521`;

/** Is a key strong enough, and of a kind that every client of today takes? */
export function isGoodKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= fewestBits;
  return asymmetricKeyType === 'ec' && curves.includes(asymmetricKeyDetails?.namedCurve);
}
