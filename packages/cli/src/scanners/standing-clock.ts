import { isDeepStrictEqual } from 'node:util';
import { pause } from '@azimuth/async';
import { ScannerError } from '@azimuth/client';
import { dateAndSystemTime, isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { TimeoutOptions } from '../options/command.js';

/** ms until the second look at the device clock. */
const laterLook = 50;

/** ms until the next one, for a clock that may count whole seconds. */
const lastLook = 1100;

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
    const isAsBefore = async (ms: number) => {
      await pause(ms);
      return isDeepStrictEqual(before, await read(name));
    };
    if (!(await isAsBefore(laterLook))) return false;
    const countsMicroseconds = isObject(before) && before.udiUSec !== 0;
    return countsMicroseconds || isAsBefore(lastLook);
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
