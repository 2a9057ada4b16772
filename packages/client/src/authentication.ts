import { type Challenge, type Credentials, general, isObject } from '@azimuth/model';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import type { Connection } from './connection.js';
import { checked } from './envelope.js';

/**
 * Returns the bytes over which a text is hashed: its character codes (UTF-16 units) modulo 256. This is Latin-1 and
 * not UTF-8, as on devices.
 */
function characterBytes(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

/**
 * Returns the hash of a password of the legacy protocol (`udiNewPassword` of SetPassword), a uint32: the MD5 digest of
 * its bytes as four little-endian uint32, XORed.
 */
export function legacyPasswordHash(password: string): number {
  const digest = md5(characterBytes(password));
  const words = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
  let hash = 0;
  for (let offset = 0; offset < digest.length; offset += 4) hash ^= words.getUint32(offset, true);
  return hash >>> 0;
}

/** The user level and the password of a login, and the realm of the scanner. */
export interface Login {
  readonly user: string;
  readonly realm: string;
  readonly password: string;
}

/**
 * Computes hash1 of the specification (Authentication, step 2) as 32 raw bytes: SHA-256 of
 * `<user>:<realm>:<password>`. If there is a salt, a colon and the bytes of the salt follow. An empty salt counts as
 * none.
 */
export function hash1({ user, realm, password }: Login, salt: readonly number[]): Uint8Array {
  const identity = `${user}:${realm}:${password}`;
  if (salt.length === 0) return sha256(characterBytes(identity));
  return sha256(concatBytes(characterBytes(`${identity}:`), Uint8Array.from(salt)));
}

/**
 * Makes the `header` that answers a challenge for one POST (specification, Authentication, steps 2 and 3). `endpoint`
 * is the path of the request without `/api/`.
 */
export function credentials(
  challenge: Challenge,
  user: string,
  password: string,
  endpoint: string,
): Credentials {
  const { realm, nonce, opaque, salt } = challenge;
  const first = bytesToHex(hash1({ user, realm, password }, salt));
  const second = hexText(`POST:${endpoint}`);
  return { user, realm, nonce, opaque, response: hexText(`${first}:${nonce}:${second}`) };
}

function hexText(text: string): string {
  return bytesToHex(sha256(characterBytes(text)));
}

/**
 * A new challenge for a user level. A scanner that does not salt may leave the salt out.
 * @throws ScannerError with status 4 while logins are locked; as Connection.post.
 */
export async function fetchChallenge(connection: Connection, user: string): Promise<Challenge> {
  const { name, response } = general.members.getChallenge;
  const { challenge } = (await connection.post(name, { data: { user } })).body;
  const salted = isObject(challenge) ? { salt: [], ...challenge } : challenge;
  return checked(connection.url, name, response, salted);
}

const tails = new Map<string, Promise<void>>();

/**
 * Runs an action after all earlier ones for the same scanner have ended, also if they failed. A scanner has only one
 * pending challenge, so no other request may come between a challenge and its POST (specification, Authentication,
 * rule 4). All objects for the same URL share this order.
 */
export async function serialized<T>(url: string, act: () => Promise<T>): Promise<T> {
  const before = tails.get(url) ?? Promise.resolve();
  const result = before.then(act);
  const ended = result.then(
    () => undefined,
    () => undefined,
  );
  tails.set(url, ended);
  try {
    return await result;
  } finally {
    if (tails.get(url) === ended) tails.delete(url);
  }
}
