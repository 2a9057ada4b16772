import type { CheckedPlan } from '@azimuth/model/faults';
import { CommandFailure } from '../command-failure.js';
import { inputName, maxFileBytes, readTextFile } from './bounded-file.js';

/**
 * Reads the plan of faults in a YAML or JSON file, or on stdin for `-`.
 * @param option in front of the name in messages
 * @throws CommandFailure
 */
export async function readFaultPlan(path: string, option = ''): Promise<CheckedPlan> {
  const name = `${option}${inputName(path)}`;
  const content = await readTextFile(path, { limit: maxFileBytes.faults, orStdin: true, name });
  const { checkedPlan, FaultPlanError } = await import('@azimuth/model/faults');
  const plan = await parsed(content, name);
  try {
    return checkedPlan(plan);
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    throw new CommandFailure(error.problems.map((problem) => `${name}: ${problem}`).join('\n'));
  }
}

async function parsed(content: string, name: string): Promise<unknown> {
  // Commands without a plan do not load the parser.
  const { YamlFile } = await import('../yaml/yaml-file.js');
  const yaml = new YamlFile(name, content);
  yaml.throwMistakes();
  return yaml.toJS();
}
