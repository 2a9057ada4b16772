// The limits of a PTP slave. Those of its sockets are in `packages/server/src/time/limits.ts`.

/** Maximum number of stored masters, including the selected one. */
export const mostForeignMasters = 8;

/** Minimum time (ms) from the selection of one master to that of the next. */
export const shortestSelection = 2000;

/** Minimum time (ms) from one change of the announced offset from UTC to the next. */
export const shortestOffset = 2000;

/** The shortest and the longest mean interval (ms) of Delay_Req, regardless of the request of the master. */
export const shortestRequestInterval = 125;
export const longestRequestInterval = 64_000;

/** The shortest and the longest accepted announce or Sync interval (ms). */
export const shortestInterval = 1000 / 16;
export const longestInterval = 16_000;

/**
 * The longest accepted path delay (ms) to a master. A longer delay is an error of the master or of a device on the
 * path.
 */
export const longestPathDelay = 1000;

/** Number of stored times of each direction, at most one per second. */
export const mostTimes = 64;

/** Value of the interval field in messages without an interval. */
const noInterval = 127;

/**
 * The interval in ms in a message, within limits.
 * @param logInterval a power of two, in s
 * @param usual ms, if the message states none
 */
export function intervalOf(
  logInterval: number,
  usual: number,
  shortest = shortestInterval,
  longest = longestInterval,
): number {
  if (logInterval === noInterval) return usual;
  return Math.min(Math.max(1000 * 2 ** logInterval, shortest), longest);
}
