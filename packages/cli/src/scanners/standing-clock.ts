import { isDeepStrictEqual } from 'node:util';
import { pause } from '@azimuth/async';
import { ScannerError } from '@azimuth/client';
import { dateAndSystemTime, isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { TimeoutOptions } from '../options/command.js';

/** Delay in ms before the second reading of the device clock. */
const secondReadDelay = 50;

/** Delay in ms before the third reading, for a clock that may count whole seconds. */
const thirdReadDelay = 1100;

/** Reads a variable by its name. */
type Read = (name: string) => Promise<unknown>;

/**
 * True if the device clock stands still, as in a simulation that a test moves on (`--clock virtual`): there, a reboot
 * does not end by itself.
 */
async function standsStill(read: Read): Promise<boolean> {
  const { name } = dateAndSystemTime.members.LSPdatetime;
  try {
    const before = await read(name);
    const isAsBefore = async (ms: number) => {
      await pause(ms);
      return isDeepStrictEqual(before, await read(name));
    };
    if (!(await isAsBefore(secondReadDelay))) return false;
    const countsMicroseconds = isObject(before) && before.udiUSec !== 0;
    return countsMicroseconds || isAsBefore(thirdReadDelay);
  } catch (error) {
    if (error instanceof ScannerError) return false;
    throw error;
  }
}

/**
 * Checks the clock of a scanner before a long operation.
 * @param what the operation to wait for: `the reboot`
 * @throws CommandFailure at once if its clock stands still. With an explicit time limit, it only warns: another
 * program may move the clock on
 */
export async function requireRunningClock(
  read: Read,
  what: string,
  { timeout }: TimeoutOptions,
  report: (text: string) => void,
): Promise<void> {
  if (!(await standsStill(read))) return;
  const fact = `the clock of this scanner stands still (a simulation with --clock virtual), so ${what} does not end by itself`;
  const remedy = 'azimuth sim advance 60s, or advance() of the test';
  if (timeout === undefined)
    throw new CommandFailure(
      `${fact}. Nothing was done. If another program moves the clock on (${remedy}), say how long to wait: --timeout 60`,
      'refused',
    );
  report(`${fact}. It has to be moved on within ${timeout} s: ${remedy}`);
}
