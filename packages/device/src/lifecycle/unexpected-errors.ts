import { AlreadyRefused } from '@azimuth/model';
import type { Clock, Log } from '../interfaces/environment.js';
import { Tally } from '../tally.js';
import type { Conditions } from './conditions.js';

/**
 * Place of an unexpected error: a timer of the device, a reboot, a part of the server, or (`process`) anywhere else.
 */
const places = [
  'timer',
  'reboot',
  'measuring',
  'http',
  'events',
  'legacy',
  'streams',
  'search',
  'dns_sd',
  'ptp',
  'control',
  'process',
] as const;

export type Where = (typeof places)[number];

/** Reason of DeviceStatus 7 from such an error on until the next boot. */
export const unexpectedError = 'unexpected error';

/** Time (ms) in which an error is logged only once. */
const silence = 60_000;

/** Maximum number of different errors in the log in that time. Their texts may contain the content of requests. */
const most = 20;

const usualMessage = 'Unexpected error inside the scanner; the scanner continues';

interface Options {
  readonly log: Log;
  readonly clock: Clock;
  /** The line in the log; by default, that of a scanner. */
  readonly message?: string;
  /** Counts them together with those of others. */
  readonly together?: Tally<Where>;
}

/**
 * Errors in callbacks of timers, sockets and libraries, which no request waits for. Each becomes a line in the log, a
 * count and DeviceStatus 7. It ends neither the process nor the work of others.
 */
export class UnexpectedErrors {
  /** Number of errors since the process started. */
  readonly counts = new Tally<Where>(places);
  readonly #options: Options;
  readonly #logged = new Map<string, { times: number }>();
  #loggedSince = Number.NEGATIVE_INFINITY;
  #raise: () => void = () => undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Calls `raise` with each error. */
  onError(raise: () => void): void {
    this.#raise = raise;
  }

  /** Reports an error, unless the request was refused meanwhile. Never throws. */
  report(where: Where, error: unknown): void {
    if (error instanceof AlreadyRefused) return;
    this.counts.add(where);
    this.#options.together?.add(where);
    try {
      this.#log(where, error);
      this.#raise();
    } catch {
      // The log or a listener of the status fails, too. Nothing is left that could report it.
    }
  }

  /**
   * The last resort of a process that runs nothing else. Reports unhandled errors, and keeps the process running. Call
   * it once.
   */
  outlive(): void {
    process.on('uncaughtException', (error) => this.report('process', error));
    process.on('unhandledRejection', (reason) => this.report('process', reason));
  }

  /** A clock whose callbacks are contained. */
  containing(clock: Clock, where: Where): Clock {
    return containedClock(clock, (callback) => this.contain(where, callback));
  }

  /**
   * Calls `act`. If it throws or rejects, the error is reported and passed to `failed`, unless the request was refused
   * meanwhile. Never throws.
   */
  contain(where: Where, act: () => unknown, failed: (error: unknown) => void = ignore): void {
    try {
      const done = act();
      if (done instanceof Promise) done.catch((error: unknown) => this.#reportTo(failed, where, error));
    } catch (error) {
      this.#reportTo(failed, where, error);
    }
  }

  #reportTo(failed: (error: unknown) => void, where: Where, error: unknown): void {
    if (error instanceof AlreadyRefused) return;
    this.report(where, error);
    try {
      failed(error);
    } catch (worse) {
      this.report(where, worse);
    }
  }

  #log(where: Where, error: unknown): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#loggedSince >= silence) this.#startPeriod(now);
    const key = `${where} ${errorMessage(error).slice(0, 200)}`;
    const logged = this.#logged.get(key);
    if (logged !== undefined) logged.times++;
    else if (this.#logged.size < most) {
      this.#logged.set(key, { times: 0 });
      const { log, message = usualMessage } = this.#options;
      log.error(message, { where, reason: stackOf(error) });
    }
  }

  /** Logs in one line the number of repeated errors that were not logged. */
  #startPeriod(now: number): void {
    const times = [...this.#logged.values()].reduce((total, { times }) => total + times, 0);
    this.#logged.clear();
    this.#loggedSince = now;
    if (times > 0) this.#options.log.error('Errors that were already logged have happened again', { times });
  }
}

/** A clock that calls its callbacks through `run`, which catches their exceptions. */
export function containedClock(clock: Clock, run: (callback: () => void) => void): Clock {
  // Wraps a callback once, even if it is booked again and again. Wrappers of every booking would survive garbage
  // collections, and each collection would stop the scanner for several times as long.
  const wrappers = new WeakMap<() => void, () => void>();
  const wrapped = (callback: () => void) => {
    const known = wrappers.get(callback);
    if (known !== undefined) return known;
    const wrapper = () => run(callback);
    wrappers.set(callback, wrapper);
    return wrapper;
  };
  return {
    monotonic: clock.monotonic.bind(clock),
    utc: clock.utc.bind(clock),
    utcAhead: clock.utcAhead?.bind(clock),
    localOffset: clock.localOffset.bind(clock),
    after: (milliseconds, callback) => clock.after(milliseconds, wrapped(callback)),
    catchUp: clock.catchUp.bind(clock),
    mayAct: clock.mayAct?.bind(clock),
  };
}

/** A thrown value as text. Never throws, even if the value cannot be converted to a string. */
export function errorMessage(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that has no text';
  }
}

/** The text of a thrown value with its stack, if it is known. */
export function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack ?? thrown.message) : errorMessage(thrown);
  } catch {
    return errorMessage(thrown);
  }
}

function ignore(): void {}

/** Time (ms) within which an error that returns is not logged again, even if everything worked in between. */
const quietPeriod = 10_000;

interface RecurringErrorOptions {
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One kind of error of a part from a device maker: a core, a sensor. It is logged once, and DeviceStatus is 7 until the
 * part works again. It may fail a hundred times a second, and work in between.
 */
export class RecurringError {
  readonly #options: RecurringErrorOptions;
  readonly #reason: string;
  readonly #lingers: boolean;
  readonly #logged = new Set<string>();
  #holds = false;
  #failedAt = 0;

  /**
   * @param reason what fails, for the condition
   * @param lingers true: the condition ends after 10 s without an error. False: it ends with the first success
   */
  constructor(options: RecurringErrorOptions, reason: string, { lingers = false } = {}) {
    this.#options = options;
    this.#reason = reason;
    this.#lingers = lingers;
  }

  /** True while the condition holds. */
  get holds(): boolean {
    return this.#holds;
  }

  failed(text: string, detail: string): void {
    const { clock, log } = this.#options;
    this.#failedAt = clock.monotonic();
    if (!this.#logged.has(text)) log.error(text, { reason: detail });
    this.#logged.add(text);
    this.#set(true);
  }

  works(): void {
    if (!this.#holds && this.#logged.size === 0) return;
    const isOver = this.#options.clock.monotonic() - this.#failedAt >= quietPeriod;
    if (isOver) this.#logged.clear();
    if (isOver || !this.#lingers) this.#set(false);
  }

  /** Called at a boot: forgets all errors. */
  reset(): void {
    this.#logged.clear();
    this.#set(false);
  }

  #set(holds: boolean): void {
    if (this.#holds === holds) return;
    this.#holds = holds;
    this.#options.conditions.set('DS_RecoverableError', `failing: ${this.#reason}`, holds);
  }
}
