import { boolean } from '@azimuth/model';
import { type Command, InvalidArgumentError } from 'commander';
import { valueOfWords } from '../typed-words.js';

/** A port number from 0 (any free one) to 65535. */
export function portOption(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('A port number from 0 to 65535 is expected.');
}

/** A number in a range, bounds included. */
export function numberOption(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`A number from ${minimum} to ${maximum} is expected.`);
  };
}

/** Every value of an option that may be given several times, as it was typed. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/**
 * A switch that the environment gives is on or off as its word says: commander takes every word for on.
 * @throws Fault for a word that means neither.
 */
export function settleSwitches(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const { envVar } = option;
    if (!option.isBoolean() || envVar === undefined || command.getOptionValueSource(name) !== 'env') continue;
    const on = valueOfWords(boolean(), envVar, process.env[envVar] ?? '');
    if (!on) command.setOptionValueWithSource(name, undefined, undefined);
  }
}
