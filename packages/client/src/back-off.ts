import { doubledPause } from '@azimuth/async';

/** How often a request is sent again after HTTP 429, before the caller hears of it. */
export const mostRetries = 3;

/** A scanner that asks for more patience than this (milliseconds) is not waited for. */
export const longestWait = 60_000;

const firstWait = 500;

/** Longest pause between two attempts to connect again (milliseconds). */
const longestPause = 5000;

/**
 * How long to wait before the next attempt to connect again, in milliseconds.
 * @param failures attempts that have failed before, 0 after a connection
 */
export function pauseAfter(failures: number): number {
  return doubledPause(firstWait, failures, longestPause);
}

/**
 * How long to wait after HTTP 429, in milliseconds: what `Retry-After` says (seconds or a date, RFC 9110, 10.2.3),
 * else twice as long each time, from half a second on.
 *
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
