import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { Fault, factoryPasswords, isObject, type LoginLevel, loginLevels, Mutex } from '@azimuth/model';
import type { Log } from '../interfaces/log.js';
import type { Random } from '../interfaces/random.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { encodeDocument, UnreadableDocument } from '../storage/document.js';
import type { Documents, Found } from '../storage/documents.js';
import { reasonOf, StorageAway } from '../storage/storage-failure.js';
import { secretDocuments } from '../storage/stored-names.js';

/** A salted hash of a password. */
export interface Credential {
  /** 16 bytes. */
  readonly salt: Uint8Array;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

type PerLevel = Readonly<Record<LoginLevel, Credential>>;

interface Content {
  readonly nonceKey: Uint8Array;
  readonly rest: PerLevel;
  readonly legacy: PerLevel;
}

/** Passwords by the user levels that have them. */
export type Passwords = Readonly<Partial<Record<LoginLevel, string>>>;

const { credentials: name } = secretDocuments;

/** What the log says, and why DeviceStatus is 7, while nobody can log in. */
export const locked = 'locked: credentials cannot be read';

const ignored =
  'Passwords were given that are ignored: they count at the first start of a scanner only, and this one has others. Change them with azimuth password, or start once with --reset-passwords';

interface Options {
  readonly documents: Documents;
  readonly random: Random;
  readonly conditions: Conditions;
  readonly log: Log;
  /** Has anything of this scanner ever been stored? Asked if the credentials are missing. */
  readonly isUsed: () => Promise<boolean>;
  /** Those of a new scanner, where they are not those of the factory. */
  readonly passwords?: Passwords;
  /** Do the passwords begin anew? */
  readonly reset?: boolean;
}

/**
 * The passwords of the user levels as salted hashes, on disk at once (mode 0600), with the key that marks nonces. If they
 * cannot be read, or are lost, nobody can log in: neither passwords of the factory nor older ones take their place.
 */
export class CredentialStore {
  readonly #options: Options;
  /** While they are locked, of passwords that nobody knows. */
  #content: Content;
  #isLocked = true;
  readonly #mutex = new Mutex();
  readonly #changed = new Set<(level: LoginLevel) => void>();

  private constructor(options: Options) {
    this.#options = options;
    this.#content = unknowableContent(options.random);
  }

  /**
   * Reads the document, or makes one with the given passwords for a scanner of which nothing was ever stored.
   * @throws StorageAway
   */
  static async open(options: Options): Promise<CredentialStore> {
    const store = new CredentialStore(options);
    await (options.reset === true ? store.#reset() : store.#first());
    options.conditions.setLost(locked, store.locked);
    store.#tellIgnored();
    return store;
  }

  /** Can nobody log in, because the credentials could not be read? */
  get locked(): boolean {
    return this.#isLocked;
  }

  /** A boot: credentials that could not be read are tried again. @throws StorageAway */
  async boot(): Promise<void> {
    const { conditions, log } = this.#options;
    if (!this.#isLocked) return;
    const state = await this.#find();
    if (state === 'missing') this.#reportMissing();
    if (this.#isLocked) return;
    conditions.setLost(locked, false);
    log.info('The credentials can be read again');
  }

  async #first(): Promise<void> {
    if ((await this.#find()) !== 'missing') return;
    if (await this.#options.isUsed()) this.#reportMissing();
    else await this.#begin();
  }

  /** The owner of the machine wants it so. What could not be read is set aside, and not lost. */
  async #reset(): Promise<void> {
    const { documents, log } = this.#options;
    // A busy system says nothing about the credentials: then the start fails.
    await this.#read();
    documents.giveUp(name);
    await this.#begin();
    log.warn('The passwords were reset: those of the factory are in force, or the ones that were given');
  }

  async #begin(): Promise<void> {
    const { random, passwords = {} } = this.#options;
    await this.#write(firstContent(random, passwords));
    this.#isLocked = false;
  }

  async #find(): Promise<Found<unknown>['state']> {
    try {
      return await this.#read();
    } catch (error) {
      // Without its database, a scanner cannot start at all.
      if (error instanceof StorageAway) throw error;
      this.#options.log.error(locked, { document: name, reason: reasonOf(error) });
      return 'lost';
    }
  }

  /** @throws a temporary error of the system */
  async #read(): Promise<Found<unknown>['state']> {
    const found = await this.#options.documents.find(name, locked, contentOf);
    if (found.state === 'whole') {
      this.#content = found.content;
      this.#isLocked = false;
    }
    return found.state;
  }

  #reportMissing(): void {
    const reason = 'it is missing, and this scanner was used before';
    this.#options.documents.reportMissing(name, locked, { reason });
  }

  /** A password that was given, and is not the one in force, does not count. */
  #tellIgnored(): void {
    const { passwords = {}, log } = this.#options;
    const levels = loginLevels.filter((level) => {
      const password = passwords[level];
      return password !== undefined && !this.#isPassword(level, password);
    });
    if (levels.length > 0) log.warn(ignored, { levels });
  }

  #isPassword(level: LoginLevel, password: string): boolean {
    const { salt, hash } = this.rest(level);
    const isRest = sameSecret(hash, passwordHash(level, realm, password, salt));
    return isRest && this.isLegacy(level, legacyPasswordHash(password));
  }

  /** Calls `listener` when a password of a level has changed, of REST or of the legacy protocol. */
  onChanged(listener: (level: LoginLevel) => void): void {
    this.#changed.add(listener);
  }

  get nonceKey(): Uint8Array {
    return this.#content.nonceKey;
  }

  rest(level: LoginLevel): Credential {
    return this.#content.rest[level];
  }

  /** Takes the new password hash of a level, as the caller made it. On disk when the promise is fulfilled. */
  async setRest(level: LoginLevel, credential: Credential): Promise<void> {
    await this.#update(level, (content) => ({ ...content, rest: { ...content.rest, [level]: credential } }));
  }

  /** The legacy password of a level: another object once it has changed. */
  legacy(level: LoginLevel): Credential {
    return this.#content.legacy[level];
  }

  /** Is this the legacy password hash of a level? */
  isLegacy(level: LoginLevel, legacyHash: number): boolean {
    const { salt, hash } = this.legacy(level);
    return sameSecret(hash, saltedLegacyHash(legacyHash, salt));
  }

  async setLegacy(level: LoginLevel, legacyHash: number): Promise<void> {
    const credential = legacyCredential(legacyHash, this.#options.random);
    await this.#update(level, (content) => ({
      ...content,
      legacy: { ...content.legacy, [level]: credential },
    }));
  }

  /** Sets a level's password for REST and for the legacy protocol. */
  async setPassword(level: LoginLevel, password: string): Promise<void> {
    await this.setRest(level, restCredential(level, password, this.#options.random));
    await this.setLegacy(level, legacyPasswordHash(password));
  }

  /** Is the REST password of a level the one from the factory? */
  isFactoryRest(level: LoginLevel): boolean {
    const { salt, hash } = this.rest(level);
    return sameSecret(hash, passwordHash(level, realm, factoryPasswords[level], salt));
  }

  /** Is the legacy password of a level the one from the factory? */
  isFactoryLegacy(level: LoginLevel): boolean {
    return this.isLegacy(level, legacyPasswordHash(factoryPasswords[level]));
  }

  async #update(level: LoginLevel, change: (content: Content) => Content): Promise<void> {
    await this.#mutex.run(async () => {
      if (this.#isLocked) throw new Fault('accessDenied', '', locked);
      await this.#write(change(this.#content));
    });
    for (const listener of this.#changed) listener(level);
  }

  async #write(content: Content): Promise<void> {
    await this.#options.documents.store(name, 'The passwords', documentOf(content), { secret: true });
    this.#content = content;
  }
}

/** The document of a scanner that starts for the first time. */
export function firstCredentials(random: Random, passwords: Passwords): Uint8Array {
  return encodeDocument(documentOf(firstContent(random, passwords)));
}

function firstContent(random: Random, passwords: Passwords): Content {
  const all = { ...factoryPasswords, ...passwords };
  return contentWith(
    random,
    (level) => restCredential(level, all[level], random),
    (level) => legacyCredential(legacyPasswordHash(all[level]), random),
  );
}

/** Of random hashes, to which no password leads. */
function unknowableContent(random: Random): Content {
  const credential = (): Credential => ({ salt: random.bytes(16), hash: random.bytes(32) });
  return contentWith(random, credential, credential);
}

function contentWith(
  random: Random,
  rest: (level: LoginLevel) => Credential,
  legacy: (level: LoginLevel) => Credential,
): Content {
  const perLevel = (of: (level: LoginLevel) => Credential): PerLevel => ({
    Maintenance: of('Maintenance'),
    AuthorizedClient: of('AuthorizedClient'),
    Service: of('Service'),
  });
  return { nonceKey: random.bytes(32), rest: perLevel(rest), legacy: perLevel(legacy) };
}

function restCredential(level: LoginLevel, password: string, random: Random): Credential {
  // Clients disagree about zero bytes and empty salts: ours is 16 bytes, none of them zero.
  const salt = random.bytes(16).map((byte) => byte || 1);
  return { salt, hash: passwordHash(level, realm, password, salt) };
}

function legacyCredential(legacyHash: number, random: Random): Credential {
  const salt = random.bytes(16);
  return { salt, hash: saltedLegacyHash(legacyHash, salt) };
}

function saltedLegacyHash(legacyHash: number, salt: Uint8Array): Uint8Array {
  return hmac(salt, String(legacyHash));
}

function documentOf({ nonceKey, rest, legacy }: Content): Record<string, unknown> {
  const perLevel = (credentials: PerLevel) =>
    Object.fromEntries(
      loginLevels.map((level) => [
        level,
        { salt: hex(credentials[level].salt), hash: hex(credentials[level].hash) },
      ]),
    );
  return { nonceKey: hex(nonceKey), rest: perLevel(rest), legacy: perLevel(legacy) };
}

function contentOf({ nonceKey, rest, legacy }: Record<string, unknown>): Content {
  return { nonceKey: bytesOf(nonceKey, 32), rest: perLevelOf(rest), legacy: perLevelOf(legacy) };
}

function perLevelOf(json: unknown): PerLevel {
  if (!isObject(json)) throw new UnreadableDocument('credentials are missing');
  const of = (level: LoginLevel): Credential => {
    const credential = json[level];
    if (!isObject(credential)) throw new UnreadableDocument(`the credential of ${level} is missing`);
    return { salt: bytesOf(credential.salt, 16), hash: bytesOf(credential.hash, 32) };
  };
  return { Maintenance: of('Maintenance'), AuthorizedClient: of('AuthorizedClient'), Service: of('Service') };
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

/** SHA-256 of a text in UTF-8, as 64 lower-case hex characters. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/**
 * hash1 of the specification's login, as 32 bytes: SHA-256 of `user:realm:password`, a colon and the salt. Passwords
 * count as their character codes modulo 256, as clients of these devices take them.
 */
export function passwordHash(user: string, realm: string, password: string, salt: Uint8Array): Buffer {
  return createHash('sha256').update(`${user}:${realm}:${password}:`, 'latin1').update(salt).digest();
}

/** The password hash of the legacy protocol: the four little-endian words of the MD5 sum, XORed. */
export function legacyPasswordHash(password: string): number {
  const sum = createHash('md5').update(password, 'latin1').digest();
  return (sum.readUInt32LE(0) ^ sum.readUInt32LE(4) ^ sum.readUInt32LE(8) ^ sum.readUInt32LE(12)) >>> 0;
}

export function hmac(key: Uint8Array, content: Uint8Array | string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

/** Are two secrets the same? Takes as long whether they differ early, late or not at all. */
export function sameSecret(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The same for texts. */
export function sameText(a: string, b: string): boolean {
  return sameSecret(Buffer.from(a), Buffer.from(b));
}

/** The realm of every login, the same for all devices of this family. Clients hash with the realm of the response. */
export const realm = 'SICK Sensor';
