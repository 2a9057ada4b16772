import { isDeepStrictEqual } from 'node:util';
import { ClientError, type Scanner } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';

/** A variable with the value that it should have for a while. */
interface Setting {
  readonly name: string;
  readonly value: unknown;
}

/** What belongs together. The first one tells whose it is: where somebody else has it changed, all are theirs. */
export type SettingGroup = readonly [Setting, ...Setting[]];

interface Change extends Setting {
  readonly before: unknown;
}

/** What was changed, the latest first, under the setting that tells whose it is. */
interface Changed {
  readonly first: Setting;
  readonly changes: Change[];
}

/**
 * Gives variables of a scanner other values while something is done, and puts the former ones back afterwards, however
 * that ends. What somebody else has changed meanwhile is left alone, with what belongs to it.
 * @throws CommandFailure naming what could not be put back
 */
export async function withTemporarySettings<T>(
  scanner: Scanner,
  groups: readonly SettingGroup[],
  act: () => Promise<T>,
): Promise<T> {
  const changed: Changed[] = [];
  try {
    for (const settings of groups) {
      const changes: Change[] = [];
      changed.unshift({ first: settings[0], changes });
      for (const setting of settings) {
        const before = await scanner.readAny(setting.name);
        if (isDeepStrictEqual(before, setting.value)) continue;
        // Noted first: a write whose answer was lost may have been done.
        changes.unshift({ ...setting, before });
        await scanner.writeAny(setting.name, setting.value);
      }
    }
    return await act();
  } finally {
    await putBack(scanner, changed);
  }
}

async function putBack(scanner: Scanner, changed: readonly Changed[]): Promise<void> {
  const left: string[] = [];
  let reason = '';
  for (const { first, changes } of changed) {
    let ours: boolean | undefined;
    for (const { name, value, before } of changes) {
      try {
        ours ??= await has(scanner, first);
        if (ours && (await has(scanner, { name, value }))) await scanner.writeAny(name, before);
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        left.push(`${name} ${JSON.stringify(before)}`);
        reason = error.message;
      }
    }
  }
  if (left.length === 0) return;
  throw new CommandFailure(
    `the scanner's settings could not all be put back (${reason}); they were: ${left.join(', ')}`,
    'refused',
  );
}

async function has(scanner: Scanner, { name, value }: Setting): Promise<boolean> {
  return isDeepStrictEqual(await scanner.readAny(name), value);
}
