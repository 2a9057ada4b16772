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
  readonly pause: (ms: number) => Promise<void>;
  /** The scanner, as errors name it. */
  readonly url: string;
  /** ms */
  readonly timeoutMs?: number;
}

/**
 * Waits until a scanner that reboots has stopped answering and answers again. A scanner that still answers after 3 s
 * counts as rebooted.
 * @throws UnreachableError if it is not back in time, by default within ten minutes
 */
export async function waitOutReboot({
  ask,
  pause,
  url,
  timeoutMs = bootTimeout,
}: RebootWatch): Promise<void> {
  for (
    let waited = 0;
    waited < goneTimeout && (await failure(ask)) === undefined;
    waited += gonePollInterval
  ) {
    await pause(gonePollInterval);
  }
  for (let waited = 0; ; waited += bootPollInterval) {
    const error = await failure(ask);
    if (error === undefined) return;
    if (waited >= timeoutMs)
      throw new UnreachableError(
        url,
        `it is not up again within ${timeoutMs / 1000} s after its reboot`,
        error,
      );
    await pause(bootPollInterval);
  }
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
