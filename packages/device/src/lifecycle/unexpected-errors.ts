import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import { Tally } from '../tally.js';

/**
 * Where an error came up that nobody expected: a timer of the device, its going down or coming up, a wire, or (`process`)
 * anywhere else.
 */
export type Where =
  | 'timer'
  | 'reboot'
  | 'measuring'
  | 'http'
  | 'events'
  | 'legacy'
  | 'streams'
  | 'search'
  | 'dns_sd'
  | 'control'
  | 'process';

/** Why DeviceStatus is 7 from such an error on until the next boot. */
export const unexpectedError = 'unexpected error';

/** Within this time (ms) an error is told once, however often it comes. */
const silence = 60_000;

/** As many different ones are told in that time: texts of errors may differ by what somebody sends. */
const most = 20;

const message = 'Something failed inside the scanner; it goes on';

interface Facts {
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Errors in callbacks, where nobody is to be answered: of timers, sockets, libraries. Each becomes a line in the log, a
 * count and DeviceStatus 7, and ends neither the process nor what others do.
 */
export class UnexpectedErrors {
  /** How often there was one since the process started. */
  readonly counts = new Tally<Where>();
  readonly #facts: Facts;
  readonly #told = new Map<string, { times: number }>();
  #toldSince = Number.NEGATIVE_INFINITY;
  #raise: () => void = () => undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Calls `raise` with each error. */
  onError(raise: () => void): void {
    this.#raise = raise;
  }

  /** Takes an error that came up somewhere. Never throws. */
  tell(where: Where, error: unknown): void {
    this.counts.add(where);
    try {
      this.#log(where, error);
      this.#raise();
    } catch {
      // The log, or who hears of the status, fails too: there is nobody left to tell.
    }
  }

  /** Does something, now and in the promise that it may return: an error is told, and goes to `failed`. Never throws. */
  contain(where: Where, act: () => unknown, failed: (error: unknown) => void = ignore): void {
    const tell = (error: unknown) => {
      this.tell(where, error);
      try {
        failed(error);
      } catch (worse) {
        this.tell(where, worse);
      }
    };
    try {
      const done = act();
      if (done instanceof Promise) done.catch(tell);
    } catch (error) {
      tell(error);
    }
  }

  #log(where: Where, error: unknown): void {
    const now = this.#facts.clock.monotonic();
    if (now - this.#toldSince >= silence) this.#beginAnew(now);
    const key = `${where} ${wordsOf(error).slice(0, 200)}`;
    const told = this.#told.get(key);
    if (told !== undefined) told.times++;
    else if (this.#told.size < most) {
      this.#told.set(key, { times: 0 });
      this.#facts.log.error(message, { where, reason: stackOf(error) });
    }
  }

  /** What came again and was not told is told in one line, as soon as there is another error. */
  #beginAnew(now: number): void {
    const times = [...this.#told.values()].reduce((sum, told) => sum + told.times, 0);
    this.#told.clear();
    this.#toldSince = now;
    if (times > 0) this.#facts.log.error('Errors that were told before came again', { times });
  }
}

/** What was thrown, in words: somebody else's code may throw what cannot be made a text. */
export function wordsOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that cannot be told in words';
  }
}

/** The same with where it was thrown, as far as that is known. */
export function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack ?? thrown.message) : wordsOf(thrown);
  } catch {
    return wordsOf(thrown);
  }
}

function ignore(): void {}
