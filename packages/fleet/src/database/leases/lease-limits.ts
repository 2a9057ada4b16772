import type { DatabaseOptions } from '../database.js';

/** How long a save waits for a row that another program has locked, in ms, at most. */
const longestLock = 1000;

/**
 * Limits of the connections that save. While a save waits for a lock, others that need what it has locked wait for it.
 * @param lease ms that a lease is good for without being renewed
 */
export function limitsOfSaves(lease: number): Pick<DatabaseOptions, 'lockMilliseconds'> {
  return { lockMilliseconds: Math.min(longestLock, lease / 10) };
}
