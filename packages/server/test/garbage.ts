import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../../tests/support/waiting.js';

/** Collects what nothing holds any more; what was looked at just now is held until the event loop has gone round. */
export async function collectGarbage(): Promise<void> {
  let rounds = 0;
  await until(() => ++rounds > 2);
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('garbage cannot be collected');
  collect();
}
