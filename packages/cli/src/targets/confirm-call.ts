import type { Method } from '@azimuth/model';
import { confirmLoss } from '../prompt.js';
import type { Target } from '../target.js';
import { type Chosen, placeOf } from './chosen.js';

/**
 * Asks before a method is called that loses data for good, or that reboots scanners of which several were named. Call it
 * before anything is sent.
 * @throws CommandFailure if the answer is no, or there is neither a terminal nor `--yes`
 */
export async function confirmCall(
  { name, facts }: Method<unknown, unknown>,
  { targets, several }: Chosen<Target>,
  options: { readonly yes?: boolean },
): Promise<void> {
  const { loses, reboots = false } = facts;
  const place = placeOf(targets);
  if (loses !== undefined) {
    await confirmLoss(`${name} at ${place} loses ${loses}, for good`, 'Call it?', options);
  } else if (reboots && several) {
    const measures = targets.length === 1 ? 'it measures' : 'they measure';
    await confirmLoss(`${name} reboots ${place}; meanwhile ${measures} nothing`, 'Reboot?', options);
  }
}
