import { setTimeout as pause } from 'node:timers/promises';

/** Fulfilled when `work` is done, but after so many ms at the latest. Rejects as `work`. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const limit = pause(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    await Promise.race([work, limit]);
  } finally {
    over.abort();
  }
}
