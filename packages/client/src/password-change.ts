import { general, type LoginLevel, type ResponseOf } from '@azimuth/model';
import { cbc } from '@noble/ciphers/aes.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { fetchChallenge, hash1 } from './authentication.js';
import type { Connection } from './connection.js';
import { checked } from './envelope.js';
import { ResultError } from './errors.js';

export interface PasswordChange {
  readonly user: string;
  readonly realm: string;
  /** The salt from getChallenge for the user; empty for a scanner without salt. */
  readonly oldSalt: readonly number[];
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** The random part of a message: new for each message, 16 bytes each. */
export interface FreshBytes {
  readonly iv: Uint8Array;
  readonly newSalt: Uint8Array;
}

/** Returns new random bytes of the platform. */
export function freshBytes(): FreshBytes {
  return {
    iv: globalThis.crypto.getRandomValues(new Uint8Array(16)),
    newSalt: globalThis.crypto.getRandomValues(new Uint8Array(16)),
  };
}

/**
 * The `encryptedMessage` of changePassword, as devices of this family accept it. It sets a new hash1, and proves that
 * the sender knows the old one. Neither password can be read from it.
 *
 * | bytes | what |
 * |---|---|
 * | 0–15 | iv |
 * | 16–63 | AES-128-CBC under the first half of the old hash1: new hash1, new salt; unsalted: new hash1, PKCS#7 |
 * | 64–95 | HMAC-SHA-256 of all before, under the old hash1 |
 */
export function encryptedMessage(change: PasswordChange, { iv, newSalt }: FreshBytes): Uint8Array {
  const { user, realm, oldSalt, oldPassword, newPassword } = change;
  const salted = oldSalt.length > 0;
  const salt = salted ? [...newSalt] : [];
  const oldHash = hash1({ user, realm, password: oldPassword }, oldSalt);
  const newHash = hash1({ user, realm, password: newPassword }, salt);

  const cipher = cbc(oldHash.subarray(0, 16), iv, { disablePadding: salted });
  const sealed = concatBytes(iv, cipher.encrypt(concatBytes(newHash, Uint8Array.from(salt))));
  return concatBytes(sealed, hmac(sha256, oldHash, sealed));
}

type Result = ResponseOf<'changePassword'>['result'];

const refusals = {
  2: 'the old password is wrong',
  4: 'the password of this level cannot be changed, or the level is disabled',
  5: 'logins are locked for a while after too many failed ones',
} as const satisfies Record<Exclude<Result, 0>, string>;

interface ChangedPassword {
  readonly user: LoginLevel;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/**
 * Sets the REST password of a level. Run it through `serialized`, because it needs a challenge.
 * @throws ResultError for a result other than SUCCESS; as Connection.post.
 */
export async function changePassword(connection: Connection, change: ChangedPassword): Promise<void> {
  const { realm, salt } = await fetchChallenge(connection, change.user);
  const message = encryptedMessage({ ...change, realm, oldSalt: salt }, freshBytes());
  const { name, response: type } = general.members.changePassword;
  const data = { encryptedMessage: [...message], userLevel: change.user };
  const response = await connection.post(name, { data });
  const { result } = checked(connection.url, name, type, response.body.data);
  if (result !== 0) throw new ResultError(name, result, resultName(result), refusals[result]);
}

/** Returns the name of a result in the interface: `NOT_ACCEPTED`. */
function resultName(result: Result): string {
  const { shape } = general.members.changePassword.response;
  const member = shape.kind === 'struct' ? shape.members.result?.shape : undefined;
  const values = member?.kind === 'enumeration' ? member.values : {};
  return Object.keys(values).find((name) => values[name] === result) ?? 'refused';
}
