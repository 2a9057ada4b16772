import { isDeepStrictEqual } from 'node:util';
import { ClientError, type Scanner } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';
import { jsonText } from '../output/output.js';

/** A variable with the value that it should have for a while. */
interface Setting {
  readonly name: string;
  readonly value: unknown;
}

/** Settings that belong together. If another client has changed the first one, none of them is restored. */
export type SettingGroup = readonly [Setting, ...Setting[]];

interface Change extends Setting {
  readonly before: unknown;
}

/** The changes that were made, the latest first, with the first setting of their group. */
interface Changed {
  readonly first: Setting;
  readonly changes: Change[];
}

/**
 * Sets variables of a scanner while an action runs, and restores the former values afterwards, also after a
 * failure. A group of settings that another client has changed in this time is not restored.
 * @throws CommandFailure that names what could not be restored
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
        left.push(`${name} ${jsonText(before)}`);
        reason = error.message;
      }
    }
  }
  if (left.length === 0) return;
  throw new CommandFailure(
    `the scanner's settings could not all be restored (${reason}); they were: ${left.join(', ')}`,
    'refused',
  );
}

async function has(scanner: Scanner, { name, value }: Setting): Promise<boolean> {
  return isDeepStrictEqual(await scanner.readAny(name), value);
}
