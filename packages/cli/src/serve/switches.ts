import { boolean, Fault } from '@azimuth/model';
import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { parseValue } from '../values/parse-value.js';

/**
 * Sets switches from the environment to on or off. Commander would treat every value as on.
 * @throws CommandFailure for a word that means neither.
 */
export function settleSwitches(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const { envVar } = option;
    if (!option.isBoolean() || envVar === undefined || command.getOptionValueSource(name) !== 'env') continue;
    if (!isOn(envVar, process.env[envVar] ?? ''))
      command.setOptionValueWithSource(name, undefined, undefined);
  }
}

function isOn(variable: string, word: string): boolean {
  try {
    return parseValue(boolean(), variable, word);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new CommandFailure(`${variable}: expected on or off, got "${word}"`);
  }
}
