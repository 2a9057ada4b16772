import { type KeyObject, sign, verify } from 'node:crypto';

/** What is signed begins with this, so that a signature that the key made for anything else is none of a firmware. */
const words = 'azimuth firmware 1\0';
const purpose = Buffer.from(words, 'latin1');

/** The Ed25519 signature of a container with this seal, 64 bytes. */
export function signatureOf(seal: Uint8Array, privateKey: KeyObject): Uint8Array {
  return sign(null, Buffer.concat([purpose, seal]), privateKey);
}

/** Was the container with this seal signed by the owner of this key? */
export function isSignedBy(seal: Uint8Array, signature: Uint8Array, publicKey: KeyObject): boolean {
  return verify(null, Buffer.concat([purpose, seal]), publicKey, signature);
}
