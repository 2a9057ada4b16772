import type { MovableClock } from '@azimuth/device';
import type { VirtualHost } from '@azimuth/world';
import type { FaultTimeline } from '@azimuth/world/faults';
import { faultPlanIn } from '../input/fault-plan.js';
import type { Options } from './service-options.js';

/**
 * The planned faults of a scanner; undefined if there is no plan, and no control port that could add some.
 * @throws CommandFailure for a plan that cannot be used
 */
export async function faultsOf(
  { faults: file, controlPort, seed }: Pick<Options, 'faults' | 'controlPort' | 'seed'>,
  clock: MovableClock,
  host: VirtualHost,
): Promise<FaultTimeline | undefined> {
  if (file === undefined && controlPort === undefined) return undefined;
  const { FaultTimeline } = await import('@azimuth/world/faults');
  const faults = new FaultTimeline({ clock, host, seed });
  if (file !== undefined) faults.add(await faultPlanIn(file, '--faults '));
  return faults;
}
