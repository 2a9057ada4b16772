import type { IncomingMessage } from 'node:http';
import type { Clock } from '@azimuth/device';

/** How long (ms) the rest of a body that is not taken may still come. */
export const longestDrain = 10_000;

/**
 * Reads the rest of a body and drops it, so that a client that sends on hears of its refusal, and can go on with the
 * same connection. One that does not come to an end is cut off.
 */
export function drain(request: IncomingMessage, clock: Clock): void {
  request.on('data', () => clock.catchUp());
  if (request.complete || request.destroyed) return;
  const cancel = clock.after(longestDrain, () => request.destroy());
  request.once('close', cancel);
}
