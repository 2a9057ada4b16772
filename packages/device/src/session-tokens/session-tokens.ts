import { general, type Level } from '@azimuth/model';
import { sameText } from '../access/credential-store.js';
import { type Feature, method } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Random } from '../interfaces/random.js';
import { uuidOf } from '../interfaces/random.js';

/** How long a token is good for, in seconds (specification, Session token: unit and value are ours). */
const timeToLive = 600;
const mostTokens = 64;

interface Token {
  readonly text: string;
  readonly level: Level;
  readonly expires: number;
}

/** What a client is handed out. */
export interface IssuedToken {
  /** A UUID. */
  readonly token: string;
  /** In seconds. */
  readonly timeToLive: number;
}

/**
 * The tokens for file transfers (specification, Session token for binary transfers). Each is good for any number of
 * transfers at the level that it was issued to, until it expires or the scanner boots. At most 64 are known; one more
 * takes the place of the oldest.
 */
export class SessionTokens implements Feature {
  readonly methods = [
    method(general.members.CreateSessionToken, (_, { caller }) => this.issue(caller.level)),
  ];
  readonly #clock: Clock;
  readonly #random: Random;
  /** The oldest first; all live equally long, so they expire in this order. */
  readonly #tokens: Token[] = [];

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  issue(level: Level): IssuedToken {
    this.#dropExpired();
    if (this.#tokens.length >= mostTokens) this.#tokens.shift();
    const text = uuidOf(this.#random);
    this.#tokens.push({ text, level, expires: this.#clock.monotonic() + timeToLive * 1000 });
    return { token: text, timeToLive };
  }

  /** The level of a token; undefined where it is unknown or has expired. */
  levelOf(token: string | undefined): Level | undefined {
    this.#dropExpired();
    if (token === undefined) return undefined;
    // Each is compared whole, whatever the ones before said: the time taken tells nothing.
    return this.#tokens.filter(({ text }) => sameText(text, token)).at(0)?.level;
  }

  /** A boot: none is good any more. */
  boot(): void {
    this.#tokens.length = 0;
  }

  #dropExpired(): void {
    const now = this.#clock.monotonic();
    while (this.#tokens[0] !== undefined && this.#tokens[0].expires <= now) this.#tokens.shift();
  }
}
