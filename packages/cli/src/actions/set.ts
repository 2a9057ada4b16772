import type { Variable } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { scannerAt, scannerWithLogin } from '../connection.js';
import { variableNamed } from '../name.js';
import type { DeviceOptions } from '../options.js';
import { areChanges, changed, changesOfWords } from '../typed-changes.js';
import { valueOfWords } from '../typed-words.js';

/** Writes a variable. Its value is checked before anybody is asked for a password and anything is sent. */
export async function set(name: string, words: readonly string[], options: DeviceOptions): Promise<void> {
  const variable = variableNamed(name);
  if (variable.facts.write === undefined) throw new CommandFailure(`${name} is read-only`);
  const value = areChanges(variable.type.shape, words)
    ? await changedValue(name, variable, words, options)
    : valueOfWords(variable.type, name, words.join(' '));
  const scanner = await scannerWithLogin(options);
  await scanner.writeAny(name, value);
}

/** What the scanner holds, with some parts changed. */
async function changedValue(
  name: string,
  { type }: Variable<unknown>,
  words: readonly string[],
  options: DeviceOptions,
): Promise<unknown> {
  const changes = changesOfWords(type.shape, name, words);
  const current = await scannerAt(options).readAny(name);
  return type.fromJson(changed(current, name, changes), name);
}
