import { randomInt } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Clock, Log, MeasuringCore, Random } from '@azimuth/device';
import { usualScene } from '@azimuth/world';
import { CommandFailure } from '../command-failure.js';

/** The options that say what the scanner measures. */
export interface CoreOptions {
  readonly core?: string;
  readonly scene?: string;
  readonly replay?: string;
  readonly replaySpeed: number;
  readonly replayOnce?: boolean;
  readonly seed?: number;
}

/** A recording is held in memory. */
const largest = 512 * 2 ** 20;

/**
 * What the scanner measures by; undefined where nothing was said of it.
 * @throws CommandFailure for a scene, a recording or a core that is no good
 */
export async function coreOf(
  options: CoreOptions,
  facts: { readonly clock: Clock; readonly log: Log; readonly random: Random },
): Promise<MeasuringCore | undefined> {
  const { core, scene, replay, seed } = options;
  if (scene !== undefined && replay !== undefined) {
    throw new CommandFailure('--scene and --replay exclude each other: a scanner sees one of the two');
  }
  if (core !== undefined && (scene !== undefined || replay !== undefined)) {
    const other = scene === undefined ? '--replay' : '--scene';
    throw new CommandFailure(`--core and ${other} exclude each other: a scanner measures by one core`);
  }
  if (core !== undefined) return (await import('./own-core.js')).ownCore(core, facts);
  if (replay !== undefined) return replayOf(replay, options);
  if (scene === undefined && seed === undefined) return undefined;
  return sceneOf(scene ?? usualScene, seed);
}

async function sceneOf(name: string, seed: number | undefined): Promise<MeasuringCore> {
  const { loadScene, SceneCore, SceneError } = await import('@azimuth/world/scene');
  try {
    return new SceneCore({ scene: await loadScene(name), seed: seed ?? randomInt(2 ** 32) });
  } catch (error) {
    if (error instanceof SceneError) throw new CommandFailure(`--scene: ${error.message}`);
    throw error;
  }
}

async function replayOf(path: string, { replaySpeed, replayOnce }: CoreOptions): Promise<MeasuringCore> {
  const [{ ReplayCore, ReplayError }, { RecordingError }] = await Promise.all([
    import('@azimuth/world/replay'),
    import('@azimuth/telegrams'),
  ]);
  try {
    return new ReplayCore(await recordingIn(path), { speed: replaySpeed, loop: replayOnce !== true });
  } catch (error) {
    if (!(error instanceof ReplayError || error instanceof RecordingError)) throw error;
    throw new CommandFailure(`--replay ${path}: ${error.message}`);
  }
}

async function recordingIn(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > largest) {
      throw new CommandFailure(`--replay ${path}: ${size} bytes are more than the ${largest} that are taken`);
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // In the words of a scene that is not there.
    throw new CommandFailure(
      code === 'ENOENT'
        ? `--replay ${path}: there is no such file`
        : `--replay ${path}: cannot be read (${String(code ?? error)})`,
    );
  }
}
