import { type ControlCommands, type ControlQuery, ControlRefused, type Given } from '@azimuth/device/control';
import { checkedPlan, planSchema } from '@azimuth/model/faults';
import { FaultPlanError, type FaultTimeline } from '../faults/index.js';
import { wholeNumberIn } from './command-members.js';

/** Bytes of the largest plan. It holds the largest number of faults. */
const largestPlan = 1024 * 1024;

let known: ReturnType<typeof planSchema> | undefined;

/** Returns the schema of plans. All scanners of a process share it: it is large. */
function schemaOfPlans(): ReturnType<typeof planSchema> {
  known ??= planSchema();
  return known;
}

/** The commands that add and clear planned faults. */
export function faultCommands(faults: FaultTimeline): ControlCommands {
  return {
    faults: {
      text: 'Adds the faults of a plan to those that are planned. The answer has their ids.',
      get schema() {
        return schemaOfPlans();
      },
      mostBytes: largestPlan,
      act: (given) => ({ ids: add(faults, given) }),
    },
    'faults/clear': {
      text: 'Ends and removes the fault with this id, or all faults without an id.',
      accepts: ['id'],
      schema: {
        type: 'object',
        properties: { id: { type: 'integer', minimum: 1 } },
        additionalProperties: false,
      },
      act: (given) => {
        const id =
          given.id === undefined ? undefined : wholeNumberIn(given, 'id', 1, Number.MAX_SAFE_INTEGER);
        if (!faults.clear(id)) throw new ControlRefused(`there is no fault with the id ${id}`);
      },
    },
  };
}

/** The planned faults with their state. */
export function faultQueries(faults: FaultTimeline): Readonly<Record<string, ControlQuery>> {
  return { faults: async () => ({ faults: faults.list }) };
}

/** @throws ControlRefused for a plan that is not valid */
function add(faults: FaultTimeline, given: Given): readonly number[] {
  try {
    return faults.add(checkedPlan(given));
  } catch (error) {
    if (error instanceof FaultPlanError) throw new ControlRefused(error.message);
    throw error;
  }
}
