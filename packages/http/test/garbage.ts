import { until } from '@azimuth/test-support/waiting';

/**
 * Collects objects that are no longer referenced. An object that was just used is referenced until the next turn of the
 * event loop.
 */
export async function collectGarbage(): Promise<void> {
  let rounds = 0;
  await until(() => ++rounds > 2);
  if (globalThis.gc === undefined) throw new Error('this test needs a process with --expose-gc');
  await globalThis.gc();
}
