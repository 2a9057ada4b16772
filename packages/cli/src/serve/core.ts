import { randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTime } from '@azimuth/async';
import {
  type Clock,
  type Device,
  type Hardware,
  type Log,
  type MeasuringCore,
  type Random,
  RevolutionTimer,
  Scan,
} from '@azimuth/device';
import { isMeasuringCore } from '@azimuth/device/cores';
import { errorMessage } from '@azimuth/device/reports';
import { usualScene } from '@azimuth/simulation/usual-core';
import { CommandFailure, systemErrorText, unreadable } from '../command-failure.js';
import { bytesOfFile } from '../input/bounded-file.js';

/** The options that choose the measuring core. */
export interface CoreOptions {
  readonly core?: string;
  /** Where a core in another process connects. */
  readonly coreSocket?: string;
  readonly scene?: string;
  readonly replay?: string;
  readonly replaySpeed: number;
  readonly replayTopic?: string;
  readonly replayOnce?: boolean;
  readonly seed?: number;
  readonly clock?: string;
  readonly timeFactor?: number;
}

/** The parts that a core may use. */
interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** The hardware, whose front screen may be dirty. */
  readonly hardware: Hardware;
  /** Calls back when the device is made. */
  readonly onDevice: (act: (device: Device) => void) => void;
}

/**
 * Makes the measuring core; undefined if no option chooses one.
 * @throws CommandFailure for a scene, a recording or a core that cannot be used
 */
export async function chosenCore(options: CoreOptions, facts: Parts): Promise<MeasuringCore | undefined> {
  const { core, coreSocket, scene, replay, seed } = options;
  const { clock, log, random, hardware, onDevice } = facts;
  if (scene !== undefined && replay !== undefined) {
    throw new CommandFailure('--scene and --replay cannot be used together');
  }
  if (core !== undefined && (scene !== undefined || replay !== undefined)) {
    const other = scene === undefined ? '--replay' : '--scene';
    throw new CommandFailure(`--core and ${other} cannot be used together`);
  }
  if (coreSocket !== undefined) return openCoreSocket(coreSocket, options, { clock, log, onDevice });
  if (core !== undefined) return loadCore(core, { clock, log, random });
  if (replay !== undefined) return replayCore(replay, options, hardware);
  if (scene === undefined && seed === undefined) return undefined;
  return sceneCore(scene ?? usualScene, { seed, dirt: hardware, clock });
}

/**
 * Opens the socket of a core in another process. It is closed when the process ends.
 * @throws CommandFailure
 */
async function openCoreSocket(
  address: string,
  { core, scene, replay, clock: kind, timeFactor }: CoreOptions,
  { clock, log, onDevice }: Pick<Parts, 'clock' | 'log' | 'onDevice'>,
): Promise<MeasuringCore> {
  const [other] = Object.entries({ core, scene, replay }).find(([, given]) => given !== undefined) ?? [];
  if (other !== undefined) throw new CommandFailure(`--core-socket and --${other} cannot be used together`);
  // Time passes as usual in the other process.
  if (kind === 'virtual' || timeFactor !== undefined)
    throw new CommandFailure('--core-socket cannot be used with --clock virtual or --time-factor');
  const { CoreSocket, SocketAddressError } = await import('@azimuth/core-socket');
  try {
    const socket = await CoreSocket.open({ address, clock, log });
    process.once('exit', () => socket.close());
    onDevice(({ features }) =>
      socket.onProblem((problem) =>
        features.deviceStatus.conditions.set(
          'DS_RecoverableError',
          'core reports an error',
          problem !== undefined,
        ),
      ),
    );
    return socket;
  } catch (error) {
    if (error instanceof SocketAddressError) throw new CommandFailure(`--core-socket: ${error.message}`);
    throw error;
  }
}

async function sceneCore(
  name: string,
  { seed = randomInt(2 ** 32), ...parts }: { seed: number | undefined; dirt: Hardware; clock: Clock },
): Promise<MeasuringCore> {
  const { loadScene, SceneCore, SceneError } = await import('@azimuth/simulation/world');
  try {
    return new SceneCore({ scene: await loadScene(name), seed, ...parts });
  } catch (error) {
    if (error instanceof SceneError) throw new CommandFailure(`--scene: ${error.message}`);
    throw error;
  }
}

async function replayCore(
  path: string,
  { replaySpeed, replayOnce, replayTopic }: CoreOptions,
  dirt: Hardware,
): Promise<MeasuringCore> {
  const { largestRecording, ReplayCore, ReplayError } = await import('@azimuth/simulation/replay');
  const { RecordingError } = await import('@azimuth/telegrams');
  const options = { speed: replaySpeed, loop: replayOnce !== true, dirt };
  const name = `--replay ${path}`;
  try {
    if (await isOfRos2(path)) {
      const { playedFile } = await import('./recorded-file.js');
      return new ReplayCore(playedFile(path, replayTopic), options);
    }
    if (replayTopic !== undefined)
      throw new CommandFailure(`--replay-topic: expected a recording of MCAP or rosbag2, got ${path}`);
    return new ReplayCore(await bytesOfFile(path, { limit: largestRecording, name }), options);
  } catch (error) {
    const isOfFile = error instanceof Error && error.name === 'McapError';
    if (error instanceof Error && 'syscall' in error)
      throw new CommandFailure(`${name} cannot be read: ${systemErrorText(error)}`);
    if (!(error instanceof ReplayError || error instanceof RecordingError || isOfFile)) throw error;
    // Errors of a folder name the file in it.
    const namesPlace = error.message.startsWith(path);
    throw new CommandFailure(namesPlace ? `--replay ${error.message}` : `${name}: ${error.message}`);
  }
}

/** True for a file of MCAP, a folder, and a database of rosbag2. */
async function isOfRos2(path: string): Promise<boolean> {
  const stats = await stat(path).catch(unreadable(`--replay ${path}`));
  return stats.isDirectory() || /\.(mcap|db3)(\.zstd)?$/i.test(path);
}

/** Time limit for a module to make its core (ms). */
const defaultLoadTimeout = 30_000;

/** Argument of the function of a module for `--core`. */
interface CoreTools {
  /** The clock of the process. Prefer the timers of the order's clock: their errors are contained. */
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** Classes of this program, so that a module needs no Azimuth package. */
  readonly Scan: typeof Scan;
  readonly RevolutionTimer: typeof RevolutionTimer;
}

/** The argument of a module. Its former member `Rotation` says which name it has now. */
function toolsOf(parts: Pick<CoreTools, 'clock' | 'log' | 'random'>): CoreTools {
  return Object.defineProperty({ ...parts, Scan, RevolutionTimer }, 'Rotation', {
    get: () => {
      throw new TypeError('`Rotation` is now called `RevolutionTimer`');
    },
  });
}

/**
 * Makes the core of a module for `--core`: its default export is a function that gets {@link CoreTools} and returns a
 * core, or a promise of one.
 * @throws CommandFailure for a module that cannot be loaded, that has no such function, or whose function makes no
 * core
 */
export async function loadCore(
  path: string,
  facts: Pick<CoreTools, 'clock' | 'log' | 'random'>,
  longest = defaultLoadTimeout,
): Promise<MeasuringCore> {
  return loaded(path, longest, async () => {
    const make = await defaultExport(path);
    if (typeof make !== 'function') {
      throw new CommandFailure(
        `--core ${path}: the default export must be a function, but is ${describe(make)}`,
      );
    }
    const core = await made(path, async () => {
      const candidate: unknown = await make(toolsOf(facts));
      return { candidate, core: isMeasuringCore(candidate) ? candidate : undefined };
    });
    if (core.core !== undefined) return core.core;
    throw new CommandFailure(
      `--core ${path}: its function must return a core with the methods start and stop, but returned ${describe(core.candidate)}`,
    );
  });
}

/**
 * Returns the result of `load`. Fails if it takes longer than `longest` ms: Node would end the process without a
 * message if nothing else is pending. Also fails if a timer or promise of the module fails in this time.
 */
async function loaded<T>(path: string, longest: number, load: () => Promise<T>): Promise<T> {
  let failed: ((error: unknown) => void) | undefined;
  const failure = new Promise<never>((_, reject) => {
    failed = (error) =>
      reject(new CommandFailure(`--core ${path}: failed while it was loaded: ${errorLine(error)}`));
    process.on('uncaughtException', failed);
  });
  try {
    return await inTime(longest, Promise.race([load(), failure]), () => {
      throw new CommandFailure(`--core ${path}: no core was made within ${longest / 1000} s`);
    });
  } finally {
    if (failed !== undefined) process.off('uncaughtException', failed);
  }
}

async function defaultExport(path: string): Promise<unknown> {
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(path)).href);
    return module.default;
  } catch (error) {
    throw new CommandFailure(`--core ${path}: cannot be loaded: ${errorLine(error)}`);
  }
}

async function made<T>(path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw new CommandFailure(`--core ${path}: its function failed: ${errorLine(error)}`);
  }
}

/** Returns one line: foreign modules may throw any value. */
function errorLine(error: unknown): string {
  const [line = ''] = errorMessage(error).split('\n', 1);
  return line;
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const members = Object.keys(value);
  return members.length === 0 ? 'an empty object' : `an object with ${members.slice(0, 5).join(', ')}`;
}
