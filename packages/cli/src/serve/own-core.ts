import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Clock,
  isMeasuringCore,
  type Log,
  type MeasuringCore,
  type Random,
  Rotation,
  Scan,
} from '@azimuth/device';
import { CommandFailure } from '../command-failure.js';

/** What the function of a module for `--core` is given. */
export interface CoreTools {
  /** The clock of the process; timers of the order's clock are better, their errors are contained. */
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** Of this program, so that a module needs no package of ours. */
  readonly Scan: typeof Scan;
  readonly Rotation: typeof Rotation;
}

/**
 * The core that a module of somebody's own makes: its default export is a function that gets {@link CoreTools} and
 * returns a core, or a promise of one.
 * @throws CommandFailure for a module that cannot be loaded, that has no such function, or whose function makes no core
 */
export async function ownCore(
  path: string,
  facts: Pick<CoreTools, 'clock' | 'log' | 'random'>,
): Promise<MeasuringCore> {
  const make = await defaultOf(path);
  if (typeof make !== 'function') {
    throw new CommandFailure(
      `--core ${path}: a default export that is a function expected, ${spoken(make)} came`,
    );
  }
  const core = await made(path, async () => make({ ...facts, Scan, Rotation } satisfies CoreTools));
  if (isMeasuringCore(core)) return core;
  throw new CommandFailure(
    `--core ${path}: its function has to return a core with the methods start and stop, ${spoken(core)} came`,
  );
}

async function defaultOf(path: string): Promise<unknown> {
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(path)).href);
    return module.default;
  } catch (error) {
    throw new CommandFailure(`--core ${path}: cannot be loaded: ${reasonOf(error)}`);
  }
}

async function made(path: string, make: () => Promise<unknown>): Promise<unknown> {
  try {
    return await make();
  } catch (error) {
    throw new CommandFailure(`--core ${path}: its function failed: ${reasonOf(error)}`);
  }
}

/** One line: modules of others may throw anything. */
function reasonOf(error: unknown): string {
  const [line = ''] = String(error).split('\n', 1);
  return line;
}

function spoken(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const members = Object.keys(value);
  return members.length === 0 ? 'an empty object' : `an object with ${members.slice(0, 5).join(', ')}`;
}
