/** @packageDocumentation @internal */

import { pause } from '@azimuth/async';
import type { Clock, Log, MeasuringCore, Random } from '@azimuth/device';
import type { Dirt } from './virtual-hardware.js';

/** Name of the default scene of a virtual scanner. */
export const usualScene = 'warehouse-aisle';

/** ms between two attempts to open the file of the scene. */
const retryInterval = 1000;

/** The dirty front screen of a virtual scanner, and its log. */
interface ScreenAndLog extends Dirt {
  readonly log: Log;
}

/**
 * Returns the default core of a virtual scanner. It measures in the usual scene, with noise of a random seed and through the
 * dirt on the front screen of its hardware. While the process can open no more files, it waits, and the log says so once.
 */
export async function usualCore(
  random: Random,
  hardware: ScreenAndLog,
  clock?: Clock,
): Promise<MeasuringCore> {
  // The scene is loaded when the scanner measures for the first time.
  const { readyScene, SceneCore } = await import('./world/index.js');
  const seed = new DataView(random.bytes(4).slice().buffer).getUint32(0);
  for (let logged = false; ; logged = true) {
    try {
      return new SceneCore({ scene: readyScene(usualScene), seed, dirt: hardware, clock });
    } catch (error) {
      if (!isOutOfFileDescriptors(error)) throw error;
      if (!logged)
        hardware.log.error('The scanner cannot measure yet; it tries again', { reason: error.message });
      await pause(retryInterval, undefined, { keepsAlive: false });
    }
  }
}

/** True if the process, or the machine, can open no more files. */
function isOutOfFileDescriptors(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
