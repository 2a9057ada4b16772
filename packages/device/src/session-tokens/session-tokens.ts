import {
  type Edition,
  type FileEndpoint,
  type FileVerb,
  general,
  type Level,
  type LoginLevel,
  loginLevels,
  Refusal,
  reaches,
  sessionTokenHeader,
} from '@azimuth/model';
import type { Caller } from '../access/access.js';
import type { CredentialStore } from '../access/credential-store.js';
import { sameText } from '../access/credentials.js';
import { neededLevel } from '../behaviour.js';
import { type Feature, method } from '../feature.js';
import type { Clock, Random } from '../interfaces/environment.js';
import { uuidOf } from '../interfaces/environment.js';
import type { StoredContent, StoredState } from '../parameters/stored-state.js';

const { CreateSessionToken } = general.members;

/** Validity of a token in seconds (specification, Session token; it states neither unit nor value). */
const timeToLive = 600;
const mostTokens = 64;

interface Token {
  readonly text: string;
  readonly level: Level;
  readonly expires: number;
}

/** A token in the form for clients. */
interface IssuedToken {
  /** A UUID. */
  readonly token: string;
  /** Seconds. */
  readonly timeToLive: number;
}

interface Options {
  readonly clock: Clock;
  readonly random: Random;
  /** The present edition. */
  readonly served: { readonly current: { readonly edition: Edition } };
  readonly credentials: Pick<CredentialStore, 'onChanged'>;
  readonly state: Pick<StoredState, 'onUpdated'>;
}

/**
 * The tokens for file transfers (specification, Session token for binary transfers). Each is valid for any number of
 * transfers at its level. It ends when it expires, the scanner boots, the password of the level changes, or the level
 * is disabled. At most 64 are valid. A new one replaces the oldest.
 */
export class SessionTokens implements Feature {
  readonly methods = [method(CreateSessionToken, (_, { caller }) => this.issue(caller.level))];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #served: Options['served'];
  /** Tokens, the oldest first. All have the same lifetime, so they expire in this order. */
  #tokens: Token[] = [];

  constructor({ clock, random, served, credentials, state }: Options) {
    this.#clock = clock;
    this.#random = random;
    this.#served = served;
    credentials.onChanged((level) => this.#end(level));
    state.onUpdated((before, after) => {
      for (const level of loginLevels) if (wasDisabled(level, before, after)) this.#end(level);
    });
  }

  issue(level: Level): IssuedToken {
    this.#dropExpired();
    if (this.#tokens.length >= mostTokens) this.#tokens.shift();
    const text = uuidOf(this.#random);
    this.#tokens.push({ text, level, expires: this.#clock.monotonic() + timeToLive * 1000 });
    return { token: text, timeToLive };
  }

  /**
   * Checks that this file may be transferred under this verb. The transfer needs the same level as CreateSessionToken.
   * @param tokens the tokens of the request; exactly one is accepted
   * @returns the owner of the token; undefined if the release needs no token
   * @throws Refusal 4 with a detail for the sender. It does not reveal if the token is unknown or has expired
   */
  admitTransfer(file: FileEndpoint, verb: FileVerb, tokens: readonly string[]): Caller | undefined {
    if (!file.needsToken(verb, this.#served.current.edition.release)) return undefined;
    const [token] = tokens;
    const level = this.levelOf(token);
    if (level !== undefined && reaches(level, neededLevel(CreateSessionToken)) && tokens.length === 1)
      return { level };
    const count = tokens.length;
    const which =
      count === 0 ? 'none was sent' : count > 1 ? `${count} were sent` : 'the one sent is not valid';
    const detail = `${sessionTokenHeader}: expected one token of CreateSessionToken that has not expired; ${which}`;
    throw new Refusal('accessDenied', '', detail);
  }

  /** The level of a token. Undefined if the token is unknown or has expired. */
  levelOf(token: string | undefined): Level | undefined {
    this.#dropExpired();
    if (token === undefined) return undefined;
    // Compares all tokens completely, so that the time of the response reveals nothing.
    return this.#tokens.filter(({ text }) => sameText(text, token)).at(0)?.level;
  }

  /** Remembers the tokens with what is left of their time. */
  remember(): () => void {
    const taken = this.#clock.monotonic();
    const tokens = this.#tokens.map((token) => ({ ...token }));
    return () => {
      const later = this.#clock.monotonic() - taken;
      this.#tokens = tokens.map((token) => ({ ...token, expires: token.expires + later }));
    };
  }

  /** Called at a boot: all tokens end. */
  boot(): void {
    this.#tokens = [];
  }

  /** Ends the tokens of this level: their owners must log in again. */
  #end(level: LoginLevel): void {
    this.#tokens = this.#tokens.filter((token) => token.level !== level);
  }

  #dropExpired(): void {
    const now = this.#clock.monotonic();
    while (this.#tokens[0] !== undefined && this.#tokens[0].expires <= now) this.#tokens.shift();
  }
}

/** True if it was disabled for REST or for the legacy protocol. A token may come from a login over either. */
function wasDisabled(level: LoginLevel, before: StoredContent, after: StoredContent): boolean {
  const isDisabled = (switches: 'userLevels' | 'legacyUserLevels') =>
    before[switches][level] && !after[switches][level];
  return isDisabled('userLevels') || isDisabled('legacyUserLevels');
}
