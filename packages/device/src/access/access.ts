import {
  type Challenge,
  type Credentials,
  Fault,
  isLoginLevel,
  isObject,
  type Level,
  type LoginLevel,
  levelWithBlanks,
} from '@azimuth/model';
import type { Clock } from '../interfaces/clock.js';
import type { Log, LogFacts } from '../interfaces/log.js';
import type { Random } from '../interfaces/random.js';
import { Tally } from '../tally.js';
import { Challenges, type PendingChallenge } from './challenges.js';
import type { Credential, CredentialStore } from './credential-store.js';
import { Flood } from './flood.js';
import { passwordHash, realm, sameSecret, sameText, sha256Hex } from './hashes.js';
import { Lockout } from './lockout.js';

/** Somebody who calls: at which level he has proved to be. */
export interface Caller {
  readonly level: Level;
}

/** Who has not logged in. */
export const anybody: Caller = { level: 'Run' };

/** More than there are endpoints. */
const mostHashes2 = 500;

interface Facts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly credentials: CredentialStore;
  readonly isEnabled: (level: LoginLevel) => boolean;
}

/** Who may in: challenges, the check of a response, the lock and the flood protection of the REST interface. */
export class Access {
  readonly #facts: Facts;
  readonly #challenges: Challenges;
  readonly #flood: Flood;
  readonly #salts = new WeakMap<Credential, readonly number[]>();
  readonly #hashes2 = new Map<string, string>();
  readonly lockout: Lockout;
  /** Challenges that were handed out, and logins that succeeded and failed, by user level. */
  readonly challenges = new Tally<LoginLevel>();
  readonly succeeded = new Tally<LoginLevel>();
  readonly failed = new Tally<LoginLevel>();
  /** Attempts at user levels that were disabled, right or wrong. */
  readonly disabled = new Tally<LoginLevel>();

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#challenges = new Challenges(facts.clock, facts.random, facts.credentials.nonceKey);
    this.#flood = new Flood(facts.clock);
    this.lockout = new Lockout(facts.clock);
  }

  /**
   * A challenge for a user level; for a disabled one as for any other, so that nothing is told.
   * @throws Fault 4 while locked or flooded, 7 for a level's name with blanks in it, 3 for any other name.
   */
  challenge(user: string): Challenge {
    if (this.lockout.locked || this.#flood.refuses)
      throw new Fault('accessDenied', '', 'authentication is locked');
    if (levelWithBlanks(user) !== undefined) {
      throw new Fault('outOfBounds', 'user', 'the names of user levels are written without blanks');
    }
    if (!isLoginLevel(user))
      throw new Fault('internalServerError', 'user', 'no user level of this name can log in');
    const { nonce, opaque } = this.#challenges.issue(user);
    this.#flood.fetched(nonce);
    this.challenges.add(user);
    return { realm, nonce, opaque, salt: this.#saltOf(this.#facts.credentials.rest(user)) };
  }

  /**
   * Checks the header of a POST to `endpoint` (the path as requested, without `/api/`).
   * @throws Fault 4 or 10, in the order of the specification's rules.
   */
  authenticate(header: unknown, endpoint: string, log = this.#facts.log): Caller {
    if (this.lockout.locked) throw new Fault('accessDenied', '', 'authentication is locked');
    const credentials = credentialsOf(header);
    if (credentials === undefined) throw new Fault('accessDenied', 'header', 'five strings expected');
    const challenge = this.#spend(credentials.nonce);
    const right = this.#isRight(credentials, challenge, endpoint);
    return this.#letIn(challenge.level, right, log, { endpoint });
  }

  /**
   * Checks a password that was sent as it is, for one of the few endpoints that take one: under the same lock, and
   * counted like a wrong response. `readings` are the texts that the bytes of the password may stand for.
   * @throws Fault 4, for whatever reason. A name that no level has which can log in does not count as a failed login.
   */
  authenticatePassword(
    user: string,
    readings: readonly string[],
    endpoint: string,
    log = this.#facts.log,
  ): Caller {
    if (this.lockout.locked) throw new Fault('accessDenied', '', 'authentication is locked');
    if (!isLoginLevel(user)) throw new Fault('accessDenied', '', 'no user level of this name can log in');
    const { salt, hash } = this.#facts.credentials.rest(user);
    // All are compared, whatever the first says: the time taken tells nothing.
    const right = readings.map((password) => sameSecret(hash, passwordHash(user, realm, password, salt)));
    return this.#letIn(user, right.includes(true), log, { endpoint });
  }

  /** May anybody log in at this level? */
  isEnabled(level: LoginLevel): boolean {
    return this.#facts.isEnabled(level);
  }

  /** Somebody has proved to know the password of an enabled level. */
  loginSucceeded(level: LoginLevel): void {
    this.lockout.succeeded(level);
    this.succeeded.add(level);
  }

  /** Somebody has failed to. The fifth failure in a row locks, and so does the fifth at this level. */
  loginFailed(level: LoginLevel, log: Log, facts: LogFacts = {}): void {
    this.lockout.failed(level);
    this.failed.add(level);
    log.warn('A login failed', { userLevel: level, ...facts, locked: this.lockout.locked });
  }

  /**
   * Somebody has tried a level that is disabled, with the right password or a wrong one: the lock does not heed it. Else
   * a password that everybody knows would make room for guesses. Told once for each level, as no lock limits the rest.
   */
  triedDisabled(level: LoginLevel, log: Log, facts: LogFacts = {}): void {
    if (this.disabled.of(level) === 0) {
      log.warn('A user level that is disabled was tried; further attempts are told in the metrics alone', {
        userLevel: level,
        ...facts,
      });
    }
    this.disabled.add(level);
  }

  /** How many challenges wait for their POST. */
  get pending(): number {
    return this.#challenges.pending;
  }

  /** How often the flood protection has begun to refuse challenges. */
  get floods(): number {
    return this.#flood.floods;
  }

  /**
   * A POST came that carries a header, needed or not: the challenge it names does not count as fetched and never used.
   * Nothing is checked and nothing spent.
   */
  noteUse(header: unknown): void {
    if (isObject(header) && typeof header.nonce === 'string') this.#flood.used(header.nonce);
  }

  /** Voids every pending challenge: at a boot, and when a password has changed. */
  voidChallenges(): void {
    this.#challenges.clear();
  }

  /**
   * What comes of an attempt at a level. Whether the password is right has been found out before, for a disabled level
   * too: what is told, and the time taken, are the same for a right one and a wrong one.
   * @throws Fault 4
   */
  #letIn(level: LoginLevel, right: boolean, log: Log, facts: LogFacts): Caller {
    if (!this.isEnabled(level)) {
      this.triedDisabled(level, log, facts);
      throw new Fault('accessDenied', '', 'this user level is disabled');
    }
    if (!right) {
      this.loginFailed(level, log, facts);
      throw new Fault('accessDenied', '', 'wrong credentials');
    }
    this.loginSucceeded(level);
    return { level };
  }

  #spend(nonce: string): PendingChallenge {
    const challenge = this.#challenges.spend(nonce);
    if (challenge === undefined && !this.#challenges.wasIssued(nonce)) {
      throw new Fault('accessDenied', 'header', 'this nonce was never issued here');
    }
    this.#flood.used(nonce);
    if (challenge === undefined) throw new Fault('invalidChallenge', 'header', 'fetch a new challenge');
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

  /** The same few endpoints are asked for again and again. */
  #hash2(endpoint: string): string {
    let hash2 = this.#hashes2.get(endpoint);
    if (hash2 === undefined) {
      hash2 = sha256Hex(`POST:${endpoint}`);
      if (this.#hashes2.size < mostHashes2) this.#hashes2.set(endpoint, hash2);
    }
    return hash2;
  }

  #isRight(credentials: Credentials, challenge: PendingChallenge, endpoint: string): boolean {
    const hash1 = Buffer.from(this.#facts.credentials.rest(challenge.level).hash).toString('hex');
    const hash2 = this.#hash2(endpoint);
    const response = sha256Hex(`${hash1}:${challenge.nonce}:${hash2}`);
    // All are compared, whatever the first says: the time taken tells nothing. Level and realm are no secrets.
    const right = [
      credentials.user === challenge.level,
      credentials.realm === realm,
      sameText(credentials.opaque, challenge.opaque),
      sameText(credentials.response, response),
    ];
    return right.every(Boolean);
  }
}

function credentialsOf(header: unknown): Credentials | undefined {
  if (!isObject(header)) return undefined;
  const { user, realm, nonce, opaque, response } = header;
  if (typeof user !== 'string' || typeof realm !== 'string' || typeof nonce !== 'string') return undefined;
  if (typeof opaque !== 'string' || typeof response !== 'string') return undefined;
  return { user, realm, nonce, opaque, response };
}
