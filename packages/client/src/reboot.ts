import { UnreachableError } from './errors.js';

/** How long a scanner may take from the answer until it goes away (ms). */
const goneTimeout = 3000;
/** How long a scanner may take until it is back, if the caller says nothing else (ms). */
const bootTimeout = 600_000;

const gonePollInterval = 20;
const bootPollInterval = 250;

interface RebootWatch {
  /** Asks the scanner anything; rejects with an UnreachableError while it is away. */
  readonly ask: () => Promise<unknown>;
  readonly clock: WaitingClock;
  /** The scanner, as errors name it. */
  readonly url: string;
  /** Until it is back; ten minutes by default. */
  readonly limit?: WaitLimit;
}

/**
 * Waits until a scanner that reboots has stopped answering and answers again. A scanner that still answers after 3 s
 * counts as rebooted.
 * @throws UnreachableError if it is not back in time
 */
export async function waitOutReboot({
  ask,
  clock,
  url,
  limit = rebootLimit(clock),
}: RebootWatch): Promise<void> {
  const going = new WaitLimit(clock, Math.min(goneTimeout, limit.left));
  while (!going.isOver && (await failure(ask)) === undefined) await going.pause(gonePollInterval);
  for (;;) {
    const error = await failure(ask);
    if (error === undefined) return;
    if (limit.isOver) throw new UnreachableError(url, `it is not up again ${limit.text}`, error);
    await limit.pause(bootPollInterval);
  }
}

/** How long to wait for a scanner that was just told to reboot. @param timeoutMs ten minutes by default */
export function rebootLimit(clock: WaitingClock, timeoutMs = bootTimeout): WaitLimit {
  return new WaitLimit(clock, timeoutMs, 'after its reboot');
}

async function failure(ask: () => Promise<unknown>): Promise<UnreachableError | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    if (error instanceof UnreachableError) return error;
    throw error;
  }
}

/** What a wait needs of a connection. */
export interface WaitingClock {
  readonly pause: (ms: number) => Promise<void>;
  /** ms on a clock that never goes back. */
  readonly now: () => number;
}

/** How long a wait lasts at most: pauses, and what passes while a scanner does not answer. */
export class WaitLimit {
  readonly #clock: WaitingClock;
  readonly #begin: number;
  #paused = 0;

  /**
   * @param ms the limit
   * @param since when it began, in words: `after its reboot`
   */
  constructor(
    clock: WaitingClock,
    readonly ms: number,
    readonly since = '',
  ) {
    this.#clock = clock;
    this.#begin = clock.now();
  }

  /** ms so far. */
  get waited(): number {
    return Math.max(this.#paused, this.#clock.now() - this.#begin);
  }

  /** ms that are left, at least 0. */
  get left(): number {
    return Math.max(0, this.ms - this.waited);
  }

  get isOver(): boolean {
    return this.left === 0;
  }

  /** The limit in words: `within 600 s after its reboot`. */
  get text(): string {
    return `within ${this.ms / 1000} s ${this.since}`.trimEnd();
  }

  /** Waits that many milliseconds, and not beyond the limit. */
  async pause(ms: number): Promise<void> {
    const time = Math.min(ms, this.left);
    await this.#clock.pause(time);
    this.#paused += time;
  }
}
