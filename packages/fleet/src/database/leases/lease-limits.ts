import type { DatabaseOptions } from '../database.js';

/** How long a save waits for a row that another program has locked, in ms, at most. */
const longestLock = 1000;

/**
 * Limits of the connections that save. While a save waits for a lock, others that need what it has locked wait for it.
 * @param lease ms that a lease is good for without being renewed
 */
export function limitsOfSaves(lease: number): Pick<DatabaseOptions, 'lockMilliseconds'> {
  return { lockMilliseconds: Math.min(longestLock, Math.round(lease / 10)) };
}

/**
 * Limits of the connections that renew leases. Two renewals that get no answer leave time for a third one before the lease ends.
 * @param lease ms that a lease is good for without being renewed
 */
export function limitsOfLeases(
  lease: number,
): Pick<
  DatabaseOptions,
  'connections' | 'connectMilliseconds' | 'statementMilliseconds' | 'graceMilliseconds'
> {
  const milliseconds = Math.round(lease / 5);
  return {
    connections: 2,
    connectMilliseconds: milliseconds,
    statementMilliseconds: milliseconds,
    graceMilliseconds: Math.min(250, Math.round(lease / 20)),
  };
}
