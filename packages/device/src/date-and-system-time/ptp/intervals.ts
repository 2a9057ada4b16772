import { longestInterval, shortestInterval } from './limits.js';

/** The interval field of messages that have no interval. */
const noInterval = 127;

/**
 * The interval in ms that a message states, within limits.
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
