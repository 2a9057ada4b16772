import { general, isObject } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { AnswerError, ScannerError } from '../errors.js';

interface Token {
  readonly token: string;
  /** On the clock of `now`. */
  readonly goodUntil: number;
}

/** Before its end by a tenth of its life, and by ten seconds at most (ms), a token is not begun with any more. */
const mostMargin = 10_000;

/**
 * The session token of one client (specification, Session token for binary transfers): fetched when it is needed,
 * and kept until shortly before it expires. `timeToLive` counts seconds. Some devices do not state it: then a token is
 * fetched for each transfer.
 */
export class SessionTokens {
  readonly #calls: Calls;
  readonly #now: () => number;
  #kept: Token | undefined;
  #coming: Promise<string> | undefined;

  /** @param now milliseconds on a clock that never goes back. */
  constructor(calls: Calls, now: () => number) {
    this.#calls = calls;
    this.#now = now;
  }

  /** A token that is good for a while. Those who ask at the same time get the same. */
  async token(): Promise<string> {
    if (this.#kept !== undefined && this.#now() < this.#kept.goodUntil) return this.#kept.token;
    this.#coming ??= this.#fetch().finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  /** The same for a transfer; undefined if the scanner knows no tokens: before 2.3.1 none are needed. */
  async tokenIfKnown(): Promise<string | undefined> {
    try {
      return await this.token();
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'notFound') return undefined;
      throw error;
    }
  }

  /** The scanner does not take it any more. */
  forget(): void {
    this.#kept = undefined;
  }

  async #fetch(): Promise<string> {
    const { name } = general.members.CreateSessionToken;
    const asked = this.#now();
    const response = await this.#calls.callAny(name);
    const { token, timeToLive } = isObject(response) ? response : {};
    if (typeof token !== 'string' || token === '') {
      throw new AnswerError(this.#calls.url, name, 'without data.token');
    }
    const life = typeof timeToLive === 'number' ? timeToLive * 1000 : 0;
    this.#kept = { token, goodUntil: asked + life - Math.min(mostMargin, life / 10) };
    return token;
  }
}
