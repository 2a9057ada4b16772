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

/** How long a token is valid, in seconds (specification, Session token; it states neither unit nor value). */
const timeToLive = 600;
const mostTokens = 64;

interface Token {
  readonly text: string;
  readonly level: Level;
  readonly expires: number;
}

/** A token as a client gets it. */
interface IssuedToken {
  /** A UUID. */
  readonly token: string;
  /** In seconds. */
  readonly timeToLive: number;
}

interface Options {
  readonly clock: Clock;
  readonly random: Random;
  /** What it serves at present. */
  readonly served: { readonly current: { readonly edition: Edition } };
  readonly credentials: Pick<CredentialStore, 'onChanged'>;
  readonly state: Pick<StoredState, 'onUpdated'>;
}

/**
 * The tokens for file transfers (specification, Session token for binary transfers). Each is good for any number of
 * transfers at the level that it was issued to, until it expires, the scanner boots, the password of the level changes, or the
 * level is disabled. At most 64 are known; one more takes the place of the oldest.
 */
export class SessionTokens implements Feature {
  readonly methods = [method(CreateSessionToken, (_, { caller }) => this.issue(caller.level))];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #served: Options['served'];
  /** The oldest first; all live equally long, so they expire in this order. */
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
   * May this file be transferred under this verb? The level that CreateSessionToken needs is needed for the transfer, too.
   * @param tokens the tokens that came with the request; exactly one is accepted
   * @returns the owner of the token; undefined if the release does not ask for one
   * @throws Refusal 4 with a detail that says what to do, but not whether the token is unknown or has expired
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
    const why = `${sessionTokenHeader}: expected one token of CreateSessionToken that has not expired; ${which}`;
    throw new Refusal('accessDenied', '', why);
  }

  /** The level of a token; undefined if it is unknown or has expired. */
  levelOf(token: string | undefined): Level | undefined {
    this.#dropExpired();
    if (token === undefined) return undefined;
    // All tokens are compared completely, so that the time of the response reveals nothing.
    return this.#tokens.filter(({ text }) => sameText(text, token)).at(0)?.level;
  }

  /** A boot: none is good any more. */
  boot(): void {
    this.#tokens = [];
  }

  /** Whoever has a token of this level must log in again. */
  #end(level: LoginLevel): void {
    this.#tokens = this.#tokens.filter((token) => token.level !== level);
  }

  #dropExpired(): void {
    const now = this.#clock.monotonic();
    while (this.#tokens[0] !== undefined && this.#tokens[0].expires <= now) this.#tokens.shift();
  }
}

/** Was it disabled for REST or for the legacy protocol? A token may come from a login over either. */
function wasDisabled(level: LoginLevel, before: StoredContent, after: StoredContent): boolean {
  const isDisabled = (switches: 'userLevels' | 'legacyUserLevels') =>
    before[switches][level] && !after[switches][level];
  return isDisabled('userLevels') || isDisabled('legacyUserLevels');
}
