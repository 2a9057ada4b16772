import { doubledPause } from '@azimuth/async';

/** Number of times that a request is repeated after HTTP 429 before the caller gets an error. */
export const maxRetries = 3;

/**
 * Longest time (ms) that a request waits if a scanner asks for a delay. If the scanner asks for more, the request
 * fails.
 */
export const maxWait = 60_000;

const firstWait = 500;

/** Longest pause between two attempts to connect again (milliseconds). */
const maxPause = 5000;

/**
 * Returns the pause before the next attempt to connect again, in milliseconds.
 * @param failures attempts that have failed before, 0 after a connection
 */
export function pauseAfter(failures: number): number {
  return doubledPause(firstWait, failures, maxPause);
}

/**
 * Returns the pause after HTTP 429, in milliseconds. `Retry-After` sets it (seconds or a date, RFC 9110, 10.2.3).
 * Without this header, the pause is half a second at first, and doubles each time.
 * @param attempt 0 after the first request
 * @param now milliseconds since 1970
 */
export function waitAfter(attempt: number, retryAfter: string | null, now: number): number {
  const doubling = doubledPause(firstWait, attempt);
  if (retryAfter === null) return doubling;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? doubling : Math.max(0, date - now);
}
