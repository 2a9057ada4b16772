import { hash } from 'node:crypto';
import {
  type Credentials,
  isLoginLevel,
  isObject,
  type Level,
  type LoginLevel,
  levelWithBlanks,
  Refusal,
  reaches,
} from '@azimuth/model';
import type { Clock, Log, LogFields, Random } from '../interfaces/environment.js';
import {
  Challenges,
  Flood,
  IssuedChallenge,
  type KeptChallenges,
  type KeptFlood,
  type PendingChallenge,
  Proof,
} from './challenges.js';
import { type CredentialStore, locked } from './credential-store.js';
import type { Credential } from './credentials.js';
import { passwordHash, sameSecret } from './credentials.js';

/** The sender of a request: its proved user level. */
export interface Caller {
  readonly level: Level;
}

/**
 * Admits a caller whose level is high enough.
 * @throws Refusal 4 for too low a level.
 */
export function admit(caller: Caller, level: Level): void {
  if (!reaches(caller.level, level)) throw new Refusal('accessDenied', '', `${level} is needed`);
}

/** The caller of a request without a login. */
export const anybody: Caller = { level: 'Run' };

const failuresAllowed = 5;
const lockMilliseconds = 30_000;

/** State of a lock as plain values. Times are ms of the monotonic clock. */
interface KeptLockout {
  readonly inARow: number;
  readonly atLevel: readonly (readonly [LoginLevel, number])[];
  readonly lockedUntil: number;
  readonly locks: number;
}

/**
 * Failed logins lock authentication for 30 s, for everybody. Five in a row lock it (specification, Limits). A login at
 * any enabled level resets this count. Five at one level lock it, too. Only a login at that level resets this count.
 * Otherwise the known password of one level would allow unlimited guesses at another.
 */
export class Lockout {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #inARow = 0;
  readonly #atLevel = new Map<LoginLevel, number>();
  #lockedUntil = Number.NEGATIVE_INFINITY;
  #locks = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get locked(): boolean {
    return this.#locks > 0 && this.#clock.monotonic() < this.#lockedUntil;
  }

  /** Number of locks since the process started. */
  get locks(): number {
    return this.#locks;
  }

  /** Counts a failed login at a level. The failure that locks resets all counts. */
  failed(level: LoginLevel): void {
    const atLevel = (this.#atLevel.get(level) ?? 0) + 1;
    this.#inARow++;
    this.#atLevel.set(level, atLevel);
    if (this.#inARow < failuresAllowed && atLevel < failuresAllowed) return;
    this.#inARow = 0;
    this.#atLevel.clear();
    this.#locks++;
    this.#lockedUntil = this.#clock.monotonic() + lockMilliseconds;
  }

  /** The failures, and the lock. */
  get kept(): KeptLockout {
    const atLevel = [...this.#atLevel];
    return { inARow: this.#inARow, atLevel, lockedUntil: this.#lockedUntil, locks: this.#locks };
  }

  takeUp({ inARow, atLevel, lockedUntil, locks }: KeptLockout): void {
    this.#inARow = inARow;
    for (const [level, count] of atLevel) this.#atLevel.set(level, count);
    this.#lockedUntil = lockedUntil;
    this.#locks = locks;
  }

  /** Remembers the failures and what is left of a lock. Counts since the start go on. */
  remember(): () => void {
    const taken = this.#clock.monotonic();
    const [inARow, lockedUntil] = [this.#inARow, this.#lockedUntil];
    const atLevel = [...this.#atLevel];
    return () => {
      this.#inARow = inARow;
      this.#atLevel.clear();
      for (const [level, count] of atLevel) this.#atLevel.set(level, count);
      this.#lockedUntil = lockedUntil + this.#clock.monotonic() - taken;
    };
  }

  /** Counts a login at an enabled level. */
  succeeded(level: LoginLevel): void {
    this.#inARow = 0;
    this.#atLevel.delete(level);
  }
}

/** Counts since the process started, by user level. */
type LevelCounts = Record<LoginLevel, number>;

function levelCounts(): LevelCounts {
  return { Maintenance: 0, AuthorizedClient: 0, Service: 0 };
}

/** The attempts to log in over one protocol: their lock, and the numbers of successes and failures. */
export class Logins {
  readonly #protocolPrefix: string;
  readonly lockout: Lockout;
  /** Number of successful logins. */
  readonly succeeded = levelCounts();
  /** Number of failed logins. */
  readonly failed = levelCounts();
  /** Number of attempts to log in at a disabled user level, with a right or a wrong password. */
  readonly disabled = levelCounts();

  /** @param protocol its name in the log; undefined for REST */
  constructor(clock: Pick<Clock, 'monotonic'>, protocol?: 'legacy') {
    this.lockout = new Lockout(clock);
    this.#protocolPrefix = protocol === undefined ? '' : `${protocol} `;
  }

  /** Counts a login at an enabled level. */
  loginSucceeded(level: LoginLevel): void {
    this.lockout.succeeded(level);
    this.succeeded[level]++;
  }

  /**
   * Counts a failed login at an enabled level. The fifth failure in a row locks, and so does the fifth at this level.
   */
  loginFailed(level: LoginLevel, log: Log, fields: LogFields = {}): void {
    this.lockout.failed(level);
    this.failed[level]++;
    log.warn(`A ${this.#protocolPrefix}login failed`, {
      userLevel: level,
      ...fields,
      locked: this.lockout.locked,
    });
  }

  /**
   * Counts an attempt to log in at a disabled level, with a right or a wrong password. It does not count for the lock.
   * Otherwise a well-known password would allow more guesses. It is logged once for each level, because no lock limits
   * these attempts.
   */
  triedDisabled(level: LoginLevel, log: Log, fields: LogFields = {}): void {
    if (this.disabled[level] === 0) {
      log.warn(
        `Login attempt at a disabled ${this.#protocolPrefix}user level; further attempts are only counted in the metrics`,
        { userLevel: level, ...fields },
      );
    }
    this.disabled[level]++;
  }
}

/** The state of all logins as plain values. */
export interface KeptLogins {
  readonly lockout: KeptLockout;
  readonly challenges: KeptChallenges;
  readonly flood: KeptFlood;
  readonly counts: Readonly<Record<(typeof loginCounts)[number], Readonly<LevelCounts>>>;
}

/** The counts of an access, by their names. */
const loginCounts = ['succeeded', 'failed', 'disabled', 'challenges'] as const;

interface Options {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Random;
  readonly log: Log;
  readonly credentials: CredentialStore;
  /** The enabled user levels. */
  readonly state: { readonly content: { readonly userLevels: Readonly<Record<LoginLevel, boolean>> } };
  /** Realm of every login. */
  readonly realm: string;
}

/** Maximum number of cached hashes of endpoint names: more than there are endpoints. */
const mostHashes2 = 500;

/** Authentication of the REST interface: challenges, the check of a response, the lock and the flood protection. */
export class Access extends Logins {
  readonly #log: Log;
  readonly #credentials: CredentialStore;
  readonly #state: Options['state'];
  readonly #realm: string;
  readonly #challenges: Challenges;
  readonly #flood: Flood;
  readonly #salts = new WeakMap<Credential, readonly number[]>();
  readonly #hashes1 = new WeakMap<Credential, string>();
  readonly #hashes2 = new Map<string, string>();
  readonly #proof = new Proof();
  /** The pending challenges. */
  readonly challenges = levelCounts();

  constructor({ clock, random, log, credentials, state, realm }: Options) {
    super(clock);
    this.#realm = realm;
    this.#log = log;
    this.#credentials = credentials;
    this.#state = state;
    this.#challenges = new Challenges(clock, random, credentials.content.nonceKey);
    this.#flood = new Flood(clock);
  }

  /**
   * A challenge for a user level. A disabled level gets one like any other, so that the response does not reveal it.
   * @throws Refusal 4 while locked or flooded, or if the credentials cannot be read, 7 for a level's name with blanks
   * in it, 3 for any other name.
   */
  challenge(user: string): IssuedChallenge {
    this.assertReadable();
    if (this.lockout.locked || this.#flood.refuses)
      throw new Refusal('accessDenied', '', 'authentication is locked');
    if (!isLoginLevel(user)) throw notALogin(user);
    const { nonce, opaque, issued } = this.#challenges.issue(user);
    this.#flood.fetched(nonce, issued);
    this.challenges[user]++;
    const salt = this.#saltOf(this.#credentials.content.rest[user]);
    return new IssuedChallenge(this.#realm, nonce, opaque, salt);
  }

  /**
   * Checks the header of a POST to `endpoint` (the path as requested, without `/api/`).
   * @throws Refusal 4 or 10, in the order of the rules of the specification.
   */
  authenticate(header: unknown, endpoint: string, log = this.#log): Caller {
    this.assertReadable();
    if (this.lockout.locked) throw new Refusal('accessDenied', '', 'authentication is locked');
    const credentials = credentialsOf(header);
    if (credentials === undefined)
      throw new Refusal(
        'accessDenied',
        'header',
        'user, realm, nonce, opaque and response are expected as strings',
      );
    const challenge = this.#spend(credentials.nonce);
    const right = this.#isRight(credentials, challenge, endpoint);
    return this.#admit(challenge.level, right, log, { endpoint });
  }

  /**
   * Checks a password in plain text, for the few endpoints with one. The same lock applies, and a wrong password counts
   * like a wrong response. `readings` are the possible texts of the bytes of the password.
   * @throws Refusal 4 for any reason. A user name that cannot log in does not count as a failed login.
   */
  authenticatePassword(user: string, readings: readonly string[], endpoint: string, log = this.#log): Caller {
    this.assertReadable();
    if (this.lockout.locked) throw new Refusal('accessDenied', '', 'authentication is locked');
    if (!isLoginLevel(user))
      throw new Refusal('accessDenied', '', 'expected the name of a user level that can log in');
    const { salt, hash } = this.#credentials.content.rest[user];
    // Compares all readings, so that the time reveals nothing.
    const right = readings.map((password) =>
      sameSecret(hash, passwordHash(user, this.#realm, password, salt)),
    );
    return this.#admit(user, right.includes(true), log, { endpoint });
  }

  /**
   * Returns the credentials. Unreadable credentials admit nobody.
   * @throws Refusal 4
   */
  assertReadable(): void {
    if (this.#credentials.locked) throw new Refusal('accessDenied', '', locked);
  }

  /** True if this user level is enabled. */
  isEnabled(level: LoginLevel): boolean {
    return this.#state.content.userLevels[level];
  }

  /** Number of pending challenges. */
  get pending(): number {
    return this.#challenges.pending;
  }

  /** Number of times that the flood protection has begun to refuse challenges. */
  get floods(): number {
    return this.#flood.floods;
  }

  /**
   * Records a POST with a header. Its challenge no longer counts as unused, even if the request needs no login. Nothing
   * is checked, and the challenge stays pending.
   */
  recordUse(header: unknown): void {
    if (isObject(header) && typeof header.nonce === 'string') this.#flood.used(header.nonce);
  }

  /** Voids all pending challenges: at a boot, and when a password has changed. */
  voidChallenges(): void {
    this.#challenges.clear();
  }

  /** The state of all logins, for the same scanner when it is started again. */
  get kept(): KeptLogins {
    const { succeeded, failed, disabled, challenges } = this;
    return {
      lockout: this.lockout.kept,
      challenges: this.#challenges.kept,
      flood: this.#flood.kept,
      counts: { succeeded, failed, disabled, challenges },
    };
  }

  takeUp({ lockout, challenges, flood, counts }: KeptLogins): void {
    this.lockout.takeUp(lockout);
    this.#challenges.takeUp(challenges);
    this.#flood.takeUp(flood);
    for (const name of loginCounts) Object.assign(this[name], counts[name]);
  }

  /** Remembers the lock, the pending challenges and the flood protection. */
  remember(): () => void {
    const parts = [this.lockout.remember(), this.#challenges.remember(), this.#flood.remember()];
    return () => {
      for (const putBack of parts) putBack();
    };
  }

  /**
   * Ends an attempt to log in. The password was checked before, even for a disabled level. So neither the response nor
   * its time reveals if the password of a disabled level was right.
   * @throws Refusal 4
   */
  #admit(level: LoginLevel, right: boolean, log: Log, fields: LogFields): Caller {
    if (!this.isEnabled(level)) {
      this.triedDisabled(level, log, fields);
      throw new Refusal('accessDenied', '', 'this user level is disabled');
    }
    if (!right) {
      this.loginFailed(level, log, fields);
      throw new Refusal('accessDenied', '', 'wrong credentials');
    }
    this.loginSucceeded(level);
    return { level };
  }

  #spend(nonce: string): PendingChallenge {
    const challenge = this.#challenges.spend(nonce);
    if (challenge === undefined && !this.#challenges.wasIssued(nonce)) {
      throw new Refusal('accessDenied', 'header', 'this scanner did not issue this nonce');
    }
    this.#flood.used(nonce);
    if (challenge === undefined) throw new Refusal('invalidChallenge', 'header', 'fetch a new challenge');
    return challenge;
  }

  #saltOf(credential: Credential): readonly number[] {
    let salt = this.#salts.get(credential);
    if (salt === undefined) {
      salt = [...credential.salt];
      this.#salts.set(credential, salt);
    }
    return salt;
  }

  #hash1Of(credential: Credential): string {
    let hash1 = this.#hashes1.get(credential);
    if (hash1 === undefined) {
      hash1 = Buffer.from(credential.hash).toString('hex');
      this.#hashes1.set(credential, hash1);
    }
    return hash1;
  }

  /** Cached, because requests use the same few endpoints. */
  #hash2(endpoint: string): string {
    let hash2 = this.#hashes2.get(endpoint);
    if (hash2 === undefined) {
      hash2 = sha256Hex(`POST:${endpoint}`);
      if (this.#hashes2.size < mostHashes2) this.#hashes2.set(endpoint, hash2);
    }
    return hash2;
  }

  #isRight(credentials: Credentials, challenge: PendingChallenge, endpoint: string): boolean {
    const hash1 = this.#hash1Of(this.#credentials.content.rest[challenge.level]);
    const hash2 = this.#hash2(endpoint);
    const response = sha256Hex(`${hash1}:${challenge.nonce}:${hash2}`);
    // Compares even if level or realm are wrong, so that the time reveals nothing. Level and realm are no secrets.
    const proven = this.#proof.isSame(credentials, challenge.opaque, response);
    return proven && credentials.user === challenge.level && credentials.realm === this.#realm;
  }
}

/** SHA-256 of a text in UTF-8, as 64 lower-case hex characters. */
function sha256Hex(text: string): string {
  return hash('sha256', text);
}

function notALogin(user: string): Refusal {
  if (levelWithBlanks(user) !== undefined)
    return new Refusal('outOfBounds', 'user', 'expected the name of a user level without blanks');
  return new Refusal('internalServerError', 'user', 'expected the name of a user level that can log in');
}

function credentialsOf(header: unknown): Credentials | undefined {
  if (!isObject(header)) return undefined;
  const { user, realm, nonce, opaque, response } = header;
  if (typeof user !== 'string' || typeof realm !== 'string' || typeof nonce !== 'string') return undefined;
  if (typeof opaque !== 'string' || typeof response !== 'string') return undefined;
  return { user, realm, nonce, opaque, response };
}
