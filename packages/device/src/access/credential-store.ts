import { Mutex } from '@azimuth/async';
import { type LoginLevel, loginLevels, Refusal } from '@azimuth/model';
import type { Log, Random } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { secretDocuments } from '../storage/document.js';
import type { Documents, Found } from '../storage/documents.js';
import { reasonOf, StorageUnavailable } from '../storage/storage-failure.js';
import {
  type Credential,
  type CredentialContent,
  changedTo,
  contentOf,
  documentOf,
  firstContent,
  legacyCredential,
  legacyPasswordHash,
  type PasswordRules,
  type Passwords,
  passwordHash,
  passwordSet,
  restCredential,
  saltedLegacyHash,
  sameSecret,
  unknowableContent,
} from './credentials.js';

const { credentials: name } = secretDocuments;

/** Line in the log and reason of DeviceStatus 7 while nobody can log in. */
export const locked = 'locked: credentials cannot be read';

const ignored =
  'Passwords were given that are ignored: they count at the first start of a scanner only, and this one has others. Change them with azimuth password, or start once with --reset-passwords';

interface Options {
  readonly documents: Documents;
  readonly random: Random;
  readonly conditions: Conditions;
  readonly log: Log;
  /** True if anything of this scanner was ever stored. Called if the credentials are missing. */
  readonly isUsed: () => Promise<boolean>;
  readonly product: PasswordRules;
  /** Passwords of a new scanner that differ from the factory. */
  readonly passwords?: Passwords;
  /** True if the passwords are reset. */
  readonly reset?: boolean;
}

/**
 * The passwords of the user levels as salted hashes, on disk at once (mode 0600), with the key that marks nonces. If
 * they cannot be read, or are lost, nobody can log in: neither factory passwords nor older ones replace them.
 */
export class CredentialStore {
  readonly #options: Options;
  /** The content on disk. While the credentials are locked, passwords that nobody knows. */
  content: Readonly<CredentialContent>;
  /** True if nobody can log in, because the credentials could not be read. */
  locked = true;
  readonly #mutex = new Mutex();
  readonly #changed = new Set<(level: LoginLevel) => void>();

  private constructor(options: Options) {
    this.#options = options;
    this.content = unknowableContent(options.random);
  }

  /**
   * Reads the document. If nothing was ever stored for the scanner, creates it with the given passwords.
   * @throws StorageUnavailable
   */
  static async open(options: Options): Promise<CredentialStore> {
    const store = new CredentialStore(options);
    await (options.reset === true ? store.#reset() : store.#first());
    options.conditions.setLost(locked, store.locked);
    store.#warnOfIgnored();
    return store;
  }

  /** Called at a boot: reads unreadable credentials again. */
  async boot(): Promise<void> {
    const { conditions, log } = this.#options;
    if (!this.locked) return;
    const state = await this.#find();
    if (state === 'missing') this.#reportMissing();
    if (this.locked) return;
    conditions.setLost(locked, false);
    log.info('The credentials can be read again');
  }

  async #first(): Promise<void> {
    if ((await this.#find()) !== 'missing') return;
    if (await this.#options.isUsed()) this.#reportMissing();
    else await this.#begin();
  }

  /** The owner of the machine has requested this. The unreadable document is set aside, and not lost. */
  async #reset(): Promise<void> {
    const { documents, log } = this.#options;
    const { random, product, passwords = {} } = this.#options;
    const content = firstContent(random, passwords, product);
    // The start fails: a busy system says nothing about the credentials.
    await this.#read();
    documents.giveUp(name);
    await this.#write(content);
    this.locked = false;
    log.warn('The passwords were reset: those of the factory are in force, or the ones that were given');
  }

  async #begin(): Promise<void> {
    const { random, product, passwords = {} } = this.#options;
    await this.#write(firstContent(random, passwords, product));
    this.locked = false;
  }

  async #find(): Promise<Found<unknown>['state']> {
    try {
      return await this.#read();
    } catch (error) {
      // A scanner cannot start without its database.
      if (error instanceof StorageUnavailable) throw error;
      this.#options.log.error(locked, { document: name, reason: reasonOf(error) });
      return 'lost';
    }
  }

  /** @throws a temporary error of the system */
  async #read(): Promise<Found<unknown>['state']> {
    const found = await this.#options.documents.find(name, locked, contentOf);
    if (found.state === 'whole') {
      this.content = found.content;
      this.locked = false;
    }
    return found.state;
  }

  #reportMissing(): void {
    const reason = 'it is missing, and this scanner was used before';
    this.#options.documents.reportMissing(name, locked, { reason });
  }

  /** Logs that a given password is ignored if another one is in force. */
  #warnOfIgnored(): void {
    const { passwords = {}, log } = this.#options;
    const levels = loginLevels.filter((level) => {
      const password = passwords[level];
      return password !== undefined && !this.#isPassword(level, password);
    });
    if (levels.length > 0) log.warn(ignored, { levels });
  }

  #isPassword(level: LoginLevel, password: string): boolean {
    const { salt, hash } = this.content.rest[level];
    const { realm } = this.#options.product;
    const isRest = sameSecret(hash, passwordHash(level, realm, password, salt));
    return isRest && this.isLegacy(level, legacyPasswordHash(password));
  }

  /** Remembers the passwords. The storage itself is put back by its owner. */
  remember(): () => void {
    const { content, locked: isLocked } = this;
    return () => {
      this.content = content;
      this.locked = isLocked;
    };
  }

  /** Calls `listener` after a change of a password of a level, of REST or of the legacy protocol. */
  onChanged(listener: (level: LoginLevel) => void): void {
    this.#changed.add(listener);
  }

  /** Stores a new password hash of a level from the caller. On disk when the promise is fulfilled. */
  async setRest(level: LoginLevel, credential: Credential): Promise<void> {
    await this.#update(level, (content) => ({ ...content, rest: { ...content.rest, [level]: credential } }));
  }

  /** True if this is the legacy password hash of a level. */
  isLegacy(level: LoginLevel, legacyHash: number): boolean {
    const { salt, hash } = this.content.legacy[level];
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
    const { random, product } = this.#options;
    await this.setRest(level, restCredential(level, product.realm, password, random));
    await this.setLegacy(level, legacyPasswordHash(password));
  }

  /** True if the REST password of a level is the factory password. */
  isFactoryRest(level: LoginLevel): boolean {
    const { salt, hash } = this.content.rest[level];
    const { realm, firstPasswords } = this.#options.product;
    return sameSecret(hash, passwordHash(level, realm, firstPasswords[level], salt));
  }

  /** True if the legacy password of a level is the factory password. */
  isFactoryLegacy(level: LoginLevel): boolean {
    return this.isLegacy(level, legacyPasswordHash(this.#options.product.firstPasswords[level]));
  }

  /**
   * Restores the first passwords of this scanner. On disk when the promise is fulfilled.
   * @throws Refusal 3 if they cannot be stored; then the present ones stay
   */
  async loadFirst(): Promise<void> {
    const { random, product, passwords = {} } = this.#options;
    const before = this.content;
    await this.#mutex.run(async () => {
      if (this.locked) throw new Refusal('accessDenied', '', locked);
      const { first = passwordSet(random, passwords, product), ...content } = this.content;
      await this.#write({ ...content, ...changedTo(content, first), first });
    });
    for (const level of loginLevels) {
      const isSame =
        before.rest[level] === this.content.rest[level] &&
        before.legacy[level] === this.content.legacy[level];
      if (!isSame) for (const listener of this.#changed) listener(level);
    }
  }

  async #update(level: LoginLevel, change: (content: CredentialContent) => CredentialContent): Promise<void> {
    await this.#mutex.run(async () => {
      if (this.locked) throw new Refusal('accessDenied', '', locked);
      await this.#write(change(this.content));
    });
    for (const listener of this.#changed) listener(level);
  }

  async #write(content: CredentialContent): Promise<void> {
    await this.#options.documents.store(name, 'The passwords', documentOf(content), { secret: true });
    this.content = content;
  }
}
