import { SystemClock } from '@azimuth/device';
import { FaultPlanError, WireFaults } from '@azimuth/simulation/faults';
import { CommandFailure } from '../command-failure.js';
import { readFaultPlan } from '../input/fault-plan.js';

/**
 * Returns the faults of a plan, which begin now; undefined without a plan.
 * @throws CommandFailure if the plan is not valid, or has faults that only a virtual scanner can have
 */
export async function plannedWireFaults(path: string | undefined): Promise<WireFaults | undefined> {
  if (path === undefined) return undefined;
  const plan = await readFaultPlan(path, '--faults ');
  try {
    return new WireFaults(plan, { clock: new SystemClock() });
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    throw new CommandFailure(error.problems.map((problem) => `--faults ${path}: ${problem}`).join('\n'));
  }
}
