import { UnreachableError } from './errors.js';

/** Time limit for a scanner to stop answering after the request (ms). */
const shutdownTimeout = 3000;
/** Default time limit for a scanner to be back (ms). */
const bootTimeout = 600_000;

const shutdownPollInterval = 20;
const bootPollInterval = 250;

interface RebootWatch {
  /** Sends any request to the scanner; rejects with an UnreachableError while it is away. */
  readonly probe: () => Promise<unknown>;
  readonly clock: WaitingClock;
  /** The name of the scanner in errors: its URL. */
  readonly url: string;
  /** Time limit in ms; ten minutes by default. */
  readonly limit?: WaitLimit;
}

/**
 * Waits until a scanner that reboots has stopped answering and answers again. A scanner that still answers after 3 s
 * counts as rebooted.
 * @throws UnreachableError if it is not back in time
 */
export async function waitOutReboot({
  probe,
  clock,
  url,
  limit = rebootLimit(clock),
}: RebootWatch): Promise<void> {
  const going = new WaitLimit(clock, Math.min(shutdownTimeout, limit.remaining));
  while (!going.isOver && (await failure(probe)) === undefined) await going.pause(shutdownPollInterval);
  for (;;) {
    const error = await failure(probe);
    if (error === undefined) return;
    if (limit.isOver) throw new UnreachableError(url, `it is not up again ${limit.text}`, error);
    await limit.pause(bootPollInterval);
  }
}

/** Returns the time limit for a reboot that was just requested. @param timeoutMs ten minutes by default */
export function rebootLimit(clock: WaitingClock, timeoutMs = bootTimeout): WaitLimit {
  return new WaitLimit(clock, timeoutMs, 'after its reboot');
}

async function failure(probe: () => Promise<unknown>): Promise<UnreachableError | undefined> {
  try {
    await probe();
    return undefined;
  } catch (error) {
    if (error instanceof UnreachableError) return error;
    throw error;
  }
}

/** The functions of a connection that a wait needs. */
export interface WaitingClock {
  readonly pause: (ms: number) => Promise<void>;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
}

/** The time limit of a wait: pauses, and the time in which a scanner does not answer. */
export class WaitLimit {
  readonly #clock: WaitingClock;
  readonly #begin: number;
  #paused = 0;

  /**
   * @param ms the limit
   * @param since the beginning, in words: `after its reboot`
   */
  constructor(
    clock: WaitingClock,
    readonly ms: number,
    readonly since = '',
  ) {
    this.#clock = clock;
    this.#begin = clock.now();
  }

  /** Milliseconds so far. */
  get waited(): number {
    return Math.max(this.#paused, this.#clock.now() - this.#begin);
  }

  /** Remaining milliseconds, at least 0. */
  get remaining(): number {
    return Math.max(0, this.ms - this.waited);
  }

  get isOver(): boolean {
    return this.remaining === 0;
  }

  /** The limit in words: `within 600 s after its reboot`. */
  get text(): string {
    return `within ${this.ms / 1000} s ${this.since}`.trimEnd();
  }

  /** Waits that many milliseconds, but not longer than the limit. */
  async pause(ms: number): Promise<void> {
    const time = Math.min(ms, this.remaining);
    await this.#clock.pause(time);
    this.#paused += time;
  }
}
