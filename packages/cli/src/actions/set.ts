import type { Variable } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { withNamedScanner } from '../legacy/named-scanner.js';
import { variableNamed } from '../name.js';
import type { DeviceOptions } from '../options.js';
import { areChanges, changed, changesOfWords } from '../typed-changes.js';
import { valueOfWords } from '../typed-words.js';

/** Writes a variable. Its value is checked before anybody is asked for a password and anything is sent. */
export async function set(name: string, words: readonly string[], options: DeviceOptions): Promise<void> {
  const variable = variableNamed(name);
  if (variable.facts.write === undefined) throw new CommandFailure(`${name} is read-only`);
  const valueFrom = typedValue(name, variable, words);
  await withNamedScanner(options, async (scanner) => {
    const value = await valueFrom(() => scanner.readAny(name));
    await (await scanner.loggedIn()).writeAny(name, value);
  });
}

/** The value that words mean: whole, or what the scanner holds with some parts changed. */
function typedValue(
  name: string,
  { type }: Variable<unknown>,
  words: readonly string[],
): (current: () => Promise<unknown>) => Promise<unknown> {
  if (areChanges(type.shape, words)) {
    const changes = changesOfWords(type.shape, name, words);
    return async (current) => type.fromJson(changed(await current(), name, changes), name);
  }
  const value = valueOfWords(type, name, words.join(' '));
  return () => Promise.resolve(value);
}
