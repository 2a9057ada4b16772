import type { Challenge, Credentials } from '@azimuth/model';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { characterBytes } from './password.js';

/** Who logs in: a user level and its password, within the realm of a scanner. */
export interface Login {
  readonly user: string;
  readonly realm: string;
  readonly password: string;
}

/**
 * hash1 of the specification (Authentication, step 2) as 32 raw bytes: SHA-256 of `<user>:<realm>:<password>`, and
 * where there is a salt, a colon and its bytes behind it. An empty salt counts as none.
 */
export function hash1({ user, realm, password }: Login, salt: readonly number[]): Uint8Array {
  const identity = `${user}:${realm}:${password}`;
  if (salt.length === 0) return sha256(characterBytes(identity));
  return sha256(concatBytes(characterBytes(`${identity}:`), Uint8Array.from(salt)));
}

/**
 * The `header` that answers a challenge for one POST to `endpoint`, the path without `/api/` as it will be requested
 * (specification, Authentication, steps 2 and 3).
 */
export function credentials(
  challenge: Challenge,
  user: string,
  password: string,
  endpoint: string,
): Credentials {
  const { realm, nonce, opaque, salt } = challenge;
  const first = bytesToHex(hash1({ user, realm, password }, salt));
  const second = hexOf(`POST:${endpoint}`);
  return { user, realm, nonce, opaque, response: hexOf(`${first}:${nonce}:${second}`) };
}

function hexOf(text: string): string {
  return bytesToHex(sha256(characterBytes(text)));
}
