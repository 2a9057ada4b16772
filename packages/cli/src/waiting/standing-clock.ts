import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ScannerError } from '@azimuth/client';
import { dateAndSystemTime } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { TimeoutOptions } from './timeout.js';

/**
 * ms between looks at the device clock. It counts microseconds; a look after more than a second is for a clock that
 * counts seconds.
 */
const looks = [50, 1100] as const;

/** Reads a variable by its name. */
type Read = (name: string) => Promise<unknown>;

/**
 * Does the device clock stand still? That of a simulation does that a test moves on (`--clock virtual`): what takes time
 * there, as a reboot, does not end by itself.
 */
async function standsStill(read: Read): Promise<boolean> {
  const { name } = dateAndSystemTime.members.LSPdatetime;
  try {
    const before = await read(name);
    for (const ms of looks) {
      await pause(ms);
      if (!isDeepStrictEqual(before, await read(name))) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof ScannerError) return false;
    throw error;
  }
}

/**
 * Checks a scanner before it is told to do what takes time.
 * @param what it would wait for: `the reboot`
 * @throws CommandFailure at once if its clock stands still. With a limit that was typed, it is only told: another program
 * may move the clock on
 */
export async function requireRunningClock(
  read: Read,
  what: string,
  { timeout }: TimeoutOptions,
  tell: (text: string) => void,
): Promise<void> {
  if (!(await standsStill(read))) return;
  const fact = `the clock of this scanner stands still (a simulation with --clock virtual), so ${what} does not end by itself`;
  const remedy = 'azimuth sim advance 60s, or advance() of the test';
  if (timeout === undefined)
    throw new CommandFailure(
      `${fact}. Nothing was done. If another program moves the clock on (${remedy}), say how long to wait: --timeout 60`,
      'refused',
    );
  tell(`${fact}. It has to be moved on within ${timeout} s: ${remedy}`);
}
