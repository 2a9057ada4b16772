import { isDeepStrictEqual } from 'node:util';
import { pause } from '@azimuth/async';
import { ClientError, type Scanner, ScannerError } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';
import { jsonText } from '../output/output.js';

/** Pause in ms between two looks at the scanner: is it there? A boot takes two seconds or more. */
const lookInterval = 1000;

/** A variable with a temporary value. */
interface Setting {
  readonly name: string;
  readonly value: unknown;
}

/** A group of settings. If another client has changed the first one, the group is neither set again nor restored. */
export type SettingGroup = readonly [Setting, ...Setting[]];

interface Change extends Setting {
  readonly before: unknown;
}

/** A group that was set. The latest change is the first in the list. */
interface Changed {
  readonly settings: SettingGroup;
  readonly changes: Change[];
}

interface Keeping {
  /** Told if the settings were set again, or why they cannot be. */
  readonly told: (line: string) => void;
  /** Waits; by default by the timers of the system. */
  readonly wait?: typeof pause;
}

/**
 * Sets variables of a scanner while an action runs, and restores the former values afterwards, also after a failure. A
 * scanner that was away and has the former values has booted: they are set again. A group of settings that another client
 * has changed in this time is left alone.
 * @throws CommandFailure that names settings that could not be restored
 */
export async function withTemporarySettings<T>(
  scanner: Scanner,
  groups: readonly SettingGroup[],
  keeping: Keeping,
  act: () => Promise<T>,
): Promise<T> {
  const changed: Changed[] = [];
  const over = new AbortController();
  let kept: Promise<void> = Promise.resolve();
  try {
    for (const settings of groups) {
      const group: Changed = { settings, changes: [] };
      changed.unshift(group);
      await set(scanner, settings, group.changes);
    }
    kept = keepSet(scanner, changed, keeping, over.signal);
    return await act();
  } finally {
    over.abort();
    await kept;
    await restoreSettings(scanner, changed);
  }
}

async function set(scanner: Scanner, settings: readonly Setting[], changes: Change[]): Promise<void> {
  for (const { name, value } of settings) {
    const before = await scanner.readAny(name);
    if (isDeepStrictEqual(before, value)) continue;
    const known = changes.findIndex((change) => change.name === name);
    if (known >= 0) changes.splice(known, 1);
    // Recorded first: a write without an answer may have been done.
    changes.unshift({ name, value, before });
    await scanner.writeAny(name, value);
  }
}

/** Looks at the scanner until the end. If it was away, it may have booted, and forgotten what was not saved. */
async function keepSet(
  scanner: Scanner,
  groups: readonly Changed[],
  { told, wait = pause }: Keeping,
  signal: AbortSignal,
): Promise<void> {
  let wasAway = false;
  for (;;) {
    await wait(lookInterval, signal);
    if (signal.aborted) return;
    try {
      await scanner.readAny('DeviceStatus');
      if (!wasAway) continue;
      for (const group of groups) await setAgain(scanner, group, told);
      wasAway = false;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // A wrong password must not be tried again and again: that locks the scanner.
      if (error instanceof ScannerError && error.statusName === 'accessDenied') {
        told(`the scanner sends no longer here, and refuses to be set again: ${error.message}`);
        return;
      }
      wasAway = true;
    }
  }
}

async function setAgain(scanner: Scanner, group: Changed, told: Keeping['told']): Promise<void> {
  const { settings, changes } = group;
  const forgotten: Setting[] = [];
  for (const setting of settings) {
    const { name, value } = setting;
    const now = await scanner.readAny(name);
    if (isDeepStrictEqual(now, value)) continue;
    const change = changes.find((each) => each.name === name);
    // A setting that was right from the beginning has no former value: it was not saved.
    if (change === undefined || isDeepStrictEqual(now, change.before)) {
      forgotten.push(setting);
      continue;
    }
    told(`${name} is ${jsonText(now)}: another client has changed it, and it is left as it is`);
    if (setting === settings[0]) return;
  }
  if (forgotten.length === 0) return;
  await set(scanner, forgotten, changes);
  told(`the scanner has started again: ${forgotten.map(({ name }) => name).join(' and ')} set again`);
}

async function restoreSettings(scanner: Scanner, changed: readonly Changed[]): Promise<void> {
  const left: string[] = [];
  let reason = '';
  for (const { settings, changes } of changed) {
    let ours: boolean | undefined;
    for (const { name, value, before } of changes) {
      try {
        ours ??= await hasValue(scanner, settings[0]);
        if (ours && (await hasValue(scanner, { name, value }))) await scanner.writeAny(name, before);
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

async function hasValue(scanner: Scanner, { name, value }: Setting): Promise<boolean> {
  return isDeepStrictEqual(await scanner.readAny(name), value);
}
