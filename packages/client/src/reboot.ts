import { UnreachableError } from './errors.js';

/** How long a scanner may take from the answer until it goes away, and until it is back (milliseconds). */
const longestGoing = 3000;
const longestBoot = 600_000;

const lookForGoing = 20;
const lookForReturn = 250;

export interface RebootWatch {
  /** Asks the scanner anything; rejects with an UnreachableError while it is away. */
  readonly ask: () => Promise<unknown>;
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * Waits until a scanner that was told to reboot has gone away and answers again. One that has come back within 3 s
 * without having been missed counts as rebooted.
 * @throws UnreachableError where it is not back after ten minutes.
 */
export async function waitOutReboot({ ask, pause }: RebootWatch): Promise<void> {
  for (let waited = 0; waited < longestGoing && (await failure(ask)) === undefined; waited += lookForGoing) {
    await pause(lookForGoing);
  }
  for (let waited = 0; ; waited += lookForReturn) {
    const error = await failure(ask);
    if (error === undefined) return;
    if (waited >= longestBoot) throw error;
    await pause(lookForReturn);
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
