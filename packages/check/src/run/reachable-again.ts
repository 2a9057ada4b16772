import { doubledPause } from '@azimuth/async';
import { NoAnswer } from '../wire/http-exchange.js';
import type { RunContext } from './run-context.js';

/** Longest time in ms until a scanner that does not answer is given up: reboots and updates take less. */
const longestAbsence = 180_000;

/** First and longest pause between two attempts in ms of the check's clock. */
const firstPause = 250;
const longestPause = 4000;

/**
 * Waits until a scanner answers a read. The time counts on the clock of the check and on that of this computer: whichever is
 * over first ends it.
 * @returns false if it does not answer within three minutes
 */
export async function answersAgain({ http, target: { clock }, signal }: RunContext): Promise<boolean> {
  const begin = { checked: clock.now(), real: performance.now() };
  let waited = 0;
  let failures = 0;
  const isOver = () =>
    Math.max(waited, clock.now() - begin.checked) >= longestAbsence ||
    performance.now() - begin.real >= longestAbsence;
  while (!signal.aborted) {
    try {
      await http.get('/api/DeviceIdent');
      return true;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
    if (isOver()) return false;
    const pause = doubledPause(firstPause, failures, longestPause);
    await clock.wait(pause, signal);
    waited += pause;
    failures += 1;
  }
  return false;
}
