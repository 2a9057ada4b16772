import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  builtInProduct,
  isObject,
  type LoginLevel,
  loginLevels,
  type Product,
  Refusal,
} from '@azimuth/model';
import type { Random } from '../interfaces/environment.js';
import { encodeDocument, UnreadableDocument } from '../storage/document.js';

/** A salted hash of a password. */
export interface Credential {
  /** 16 bytes. */
  readonly salt: Uint8Array;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

type PerLevel = Readonly<Record<LoginLevel, Credential>>;

/** The passwords of all levels. */
interface PasswordSet {
  readonly rest: PerLevel;
  readonly legacy: PerLevel;
}

/** The document of the credentials. */
export interface CredentialContent extends PasswordSet {
  readonly nonceKey: Uint8Array;
  /** The first passwords of this scanner. Older documents have none. */
  readonly first?: PasswordSet;
}

/** Passwords by the user levels that have them. */
export type Passwords = Readonly<Partial<Record<LoginLevel, string | undefined>>>;

/** What a product decides about the passwords of a scanner. */
export interface PasswordRules extends Pick<Product, 'realm' | 'firstPasswords'> {
  /** First passwords of this scanner alone, as printed on its label. */
  readonly label?: Passwords | undefined;
  /** Why the labels could not be read. */
  readonly labelsMissing?: string | undefined;
}

/** The document of a scanner that starts for the first time. */
export function firstCredentials(
  random: Random,
  passwords: Passwords,
  product: PasswordRules = builtInProduct,
): Uint8Array {
  return encodeDocument(documentOf(firstContent(random, passwords, product)));
}

/** @param passwords passwords that differ from the factory */
export function firstContent(
  random: Random,
  passwords: Passwords,
  product: PasswordRules,
): CredentialContent {
  const first = passwordSet(random, passwords, product);
  return { nonceKey: random.bytes(32), ...first, first };
}

/** @throws Refusal 3 if the labels of the product are missing */
export function passwordSet(
  random: Random,
  passwords: Passwords,
  { realm, firstPasswords, label, labelsMissing }: PasswordRules,
): PasswordSet {
  // The passwords of the product instead would be known to many.
  if (labelsMissing !== undefined)
    throw new Refusal('internalServerError', '', `the first passwords are not known: ${labelsMissing}`);
  const of = (level: LoginLevel) => passwords[level] ?? label?.[level] ?? firstPasswords[level];
  return {
    rest: perLevel((level) => restCredential(level, realm, of(level), random)),
    legacy: perLevel((level) => legacyCredential(legacyPasswordHash(of(level)), random)),
  };
}

/** Changes passwords. Unchanged credentials stay the same objects. */
export function changedTo(now: PasswordSet, other: PasswordSet): PasswordSet {
  const of = (before: PerLevel, after: PerLevel) =>
    perLevel((level) => (sameSecret(before[level].hash, after[level].hash) ? before[level] : after[level]));
  return { rest: of(now.rest, other.rest), legacy: of(now.legacy, other.legacy) };
}

/** A document of random hashes. No password matches them. */
export function unknowableContent(random: Random): CredentialContent {
  const credential = (): Credential => ({ salt: random.bytes(16), hash: random.bytes(32) });
  return { nonceKey: random.bytes(32), rest: perLevel(credential), legacy: perLevel(credential) };
}

function perLevel(of: (level: LoginLevel) => Credential): PerLevel {
  return {
    Maintenance: of('Maintenance'),
    AuthorizedClient: of('AuthorizedClient'),
    Service: of('Service'),
  };
}

export function restCredential(
  level: LoginLevel,
  realm: string,
  password: string,
  random: Random,
): Credential {
  // Clients differ in zero bytes and empty salts, so the salt has 16 bytes, none of them zero.
  const salt = random.bytes(16).map((byte) => byte || 1);
  return { salt, hash: passwordHash(level, realm, password, salt) };
}

export function legacyCredential(legacyHash: number, random: Random): Credential {
  const salt = random.bytes(16);
  return { salt, hash: saltedLegacyHash(legacyHash, salt) };
}

export function documentOf({ nonceKey, first, ...now }: CredentialContent): Record<string, unknown> {
  return {
    nonceKey: hex(nonceKey),
    ...jsonOf(now),
    first: first === undefined ? undefined : jsonOf(first),
  };
}

function jsonOf({ rest, legacy }: PasswordSet) {
  const levels = (credentials: PerLevel) =>
    perLevelJson((level) => ({ salt: hex(credentials[level].salt), hash: hex(credentials[level].hash) }));
  return { rest: levels(rest), legacy: levels(legacy) };
}

function perLevelJson(of: (level: LoginLevel) => Readonly<Record<keyof Credential, string>>) {
  return Object.fromEntries(loginLevels.map((level) => [level, of(level)]));
}

/** @throws UnreadableDocument */
export function contentOf({ nonceKey, first, ...now }: Record<string, unknown>): CredentialContent {
  return {
    nonceKey: bytesOf(nonceKey, 32),
    ...passwordSetOf(now),
    first: isObject(first) ? passwordSetOf(first) : undefined,
  };
}

function passwordSetOf({ rest, legacy }: Readonly<Record<string, unknown>>): PasswordSet {
  return { rest: perLevelOf(rest), legacy: perLevelOf(legacy) };
}

function perLevelOf(json: unknown): PerLevel {
  if (!isObject(json)) throw new UnreadableDocument('credentials are missing');
  const of = (level: LoginLevel): Credential => {
    const credential = json[level];
    if (!isObject(credential)) throw new UnreadableDocument(`the credential of ${level} is missing`);
    return { salt: bytesOf(credential.salt, 16), hash: bytesOf(credential.hash, 32) };
  };
  return perLevel(of);
}

function bytesOf(json: unknown, length: number): Uint8Array {
  if (typeof json !== 'string' || !/^[0-9a-f]*$/.test(json) || json.length !== 2 * length) {
    throw new UnreadableDocument(`expected ${length} bytes in hex`);
  }
  return Buffer.from(json, 'hex');
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/**
 * hash1 of the specification's login, as 32 bytes: SHA-256 of `user:realm:password`, a colon and the salt. A password
 * counts as its character codes modulo 256, as in clients of these devices.
 */
export function passwordHash(user: string, realm: string, password: string, salt: Uint8Array): Buffer {
  return createHash('sha256').update(`${user}:${realm}:${password}:`, 'latin1').update(salt).digest();
}

/** The password hash of the legacy protocol: the four little-endian words of the MD5 sum, XORed. */
export function legacyPasswordHash(password: string): number {
  const digest = createHash('md5').update(password, 'latin1').digest();
  return (
    (digest.readUInt32LE(0) ^ digest.readUInt32LE(4) ^ digest.readUInt32LE(8) ^ digest.readUInt32LE(12)) >>> 0
  );
}

export function hmac(key: Uint8Array, content: Uint8Array | string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

/** True if two secrets are equal. The time does not depend on the place of a difference. */
export function sameSecret(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Compares two texts in the same way. */
export function sameText(a: string, b: string): boolean {
  return sameSecret(Buffer.from(a), Buffer.from(b));
}

/** The stored hash of a legacy password. */
export function saltedLegacyHash(legacyHash: number, salt: Uint8Array): Uint8Array {
  return hmac(salt, String(legacyHash));
}
