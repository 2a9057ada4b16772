import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import {
  factoryPasswords,
  isLoginLevel,
  isObject,
  type LoginLevel,
  loginLevels,
  Mutex,
} from '@azimuth/model';
import type { Random } from '../interfaces/random.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';
import { secretDocuments } from '../storage/secret-documents.js';

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

const { credentials: name } = secretDocuments;
const loss = 'The passwords are lost; factory passwords are in force';
const lostPasswords = 'lost passwords';

interface Options {
  readonly documents: Documents;
  readonly random: Random;
  readonly neverUsed: boolean;
  readonly conditions: Conditions;
}

/** The passwords of the user levels as salted hashes, on disk at once (mode 0600), with the key that marks nonces. */
export class CredentialStore {
  readonly #documents: Documents;
  readonly #random: Random;
  #content: Content;
  readonly #mutex = new Mutex();
  readonly #stored = new Set<() => void>();

  private constructor(documents: Documents, random: Random, content: Content) {
    this.#documents = documents;
    this.#random = random;
    this.#content = content;
  }

  /**
   * Reads the document, or makes one with the factory passwords for a scanner that was never used. If the document
   * is lost, the factory passwords apply, and nothing is written until a password is set. So each start reports the loss.
   */
  static async load(
    documents: Documents,
    random: Random,
    neverUsed = true,
  ): Promise<{ store: CredentialStore; lost: boolean }> {
    const found = await documents.find(name, loss, contentOf);
    if (found.state === 'whole') {
      return { store: new CredentialStore(documents, random, found.content), lost: false };
    }
    const store = new CredentialStore(documents, random, factoryContent(random));
    if (found.state === 'missing' && neverUsed) {
      await store.#write(store.#content);
      return { store, lost: false };
    }
    if (found.state === 'missing') documents.reportMissing(name, loss);
    return { store, lost: true };
  }

  /** Calls `listener` whenever passwords were written to disk. */
  onStored(listener: () => void): void {
    this.#stored.add(listener);
  }

  get nonceKey(): Uint8Array {
    return this.#content.nonceKey;
  }

  rest(level: LoginLevel): Credential {
    return this.#content.rest[level];
  }

  /** Takes the new password hash of a level, as the caller made it. On disk when the promise is fulfilled. */
  async setRest(level: LoginLevel, credential: Credential): Promise<void> {
    await this.#update((content) => ({ ...content, rest: { ...content.rest, [level]: credential } }));
  }

  /** Is this the legacy password hash of a level? */
  isLegacy(level: LoginLevel, legacyHash: number): boolean {
    const { salt, hash } = this.#content.legacy[level];
    return sameSecret(hash, saltedLegacyHash(legacyHash, salt));
  }

  async setLegacy(level: LoginLevel, legacyHash: number): Promise<void> {
    const credential = legacyCredential(legacyHash, this.#random);
    await this.#update((content) => ({ ...content, legacy: { ...content.legacy, [level]: credential } }));
  }

  /** Sets a level's password for REST and for the legacy protocol. */
  async setPassword(level: LoginLevel, password: string): Promise<void> {
    await this.setRest(level, restCredential(level, password, this.#random));
    await this.setLegacy(level, legacyPasswordHash(password));
  }

  /** Sets the passwords of these levels, one after the other. */
  async setPasswords(passwords: Readonly<Partial<Record<LoginLevel, string>>>): Promise<void> {
    for (const [level, password] of Object.entries(passwords)) {
      if (isLoginLevel(level)) await this.setPassword(level, password);
    }
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

  #update(change: (content: Content) => Content): Promise<void> {
    return this.#mutex.run(() => this.#write(change(this.#content)));
  }

  async #write(content: Content): Promise<void> {
    await this.#documents.store(name, 'The passwords', documentOf(content), { secret: true });
    this.#content = content;
    for (const listener of this.#stored) listener();
  }
}

/** The stored passwords, replaced by these where given. A loss is reported until a password is set. */
export async function openCredentials(
  { documents, random, neverUsed, conditions }: Options,
  passwords: Readonly<Partial<Record<LoginLevel, string>>> = {},
): Promise<CredentialStore> {
  const { store, lost } = await CredentialStore.load(documents, random, neverUsed);
  await store.setPasswords(passwords);
  conditions.setLost(lostPasswords, lost);
  store.onStored(() => conditions.setLost(lostPasswords, false));
  return store;
}

function factoryContent(random: Random): Content {
  const { Maintenance, AuthorizedClient, Service } = factoryPasswords;
  return {
    nonceKey: random.bytes(32),
    rest: {
      Maintenance: restCredential('Maintenance', Maintenance, random),
      AuthorizedClient: restCredential('AuthorizedClient', AuthorizedClient, random),
      Service: restCredential('Service', Service, random),
    },
    legacy: {
      Maintenance: legacyCredential(legacyPasswordHash(Maintenance), random),
      AuthorizedClient: legacyCredential(legacyPasswordHash(AuthorizedClient), random),
      Service: legacyCredential(legacyPasswordHash(Service), random),
    },
  };
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
