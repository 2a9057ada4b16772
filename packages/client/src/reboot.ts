import { UnreachableError } from './errors.js';
import { type WaitingClock, WaitLimit } from './wait-limit.js';

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
