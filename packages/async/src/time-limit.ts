import { letEnd, type PauseOptions } from './pause.js';

/** Calls `act` after so many ms. @returns a function that cancels it */
export type After = (milliseconds: number, act: () => void) => () => void;

/**
 * Settles as `work`, or as `late` if that takes longer: the work goes on then, and nobody waits for it.
 * @param late may throw
 * @param after counts the time; by default, the timers of the system
 */
export function inTime<T>(
  milliseconds: number,
  work: Promise<T>,
  late: () => T,
  after: After = bySystem(),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(milliseconds, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
    work.then(resolve, reject).finally(() => cancel());
  });
}

/** Fulfilled when `work` is done, but after so many ms at the latest. Rejects as `work`. */
export function atMost(milliseconds: number, work: Promise<unknown>, options?: PauseOptions): Promise<void> {
  const done = work.then(() => undefined);
  return inTime(milliseconds, done, () => undefined, bySystem(options));
}

function bySystem({ keepsAlive = true }: PauseOptions = {}): After {
  return (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    if (!keepsAlive) letEnd(timer);
    return () => clearTimeout(timer);
  };
}
