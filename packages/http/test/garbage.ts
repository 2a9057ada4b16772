import { until } from '@azimuth/test-support/waiting';

/** Collects what nothing holds any more. An object that was just used is held until the event loop has gone round. */
export async function collectGarbage(): Promise<void> {
  let rounds = 0;
  await until(() => ++rounds > 2);
  if (globalThis.gc === undefined) throw new Error('this test needs a process with --expose-gc');
  await globalThis.gc();
}
