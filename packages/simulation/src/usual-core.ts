import { pause } from '@azimuth/async';
import type { Hardware, MeasuringCore, Random } from '@azimuth/device';

/** The scene of a virtual scanner for which no other is chosen. */
export const usualScene = 'warehouse-aisle';

/** ms between two attempts to open the file of the scene. */
const retryInterval = 1000;

/**
 * The core of a virtual scanner for which no other is chosen: it measures in the usual scene, with noise of a random seed and
 * through the dirt on the front screen of its hardware. While the process can open no more files, it waits, and the log says so once.
 */
export async function usualCore(random: Random, hardware: Hardware): Promise<MeasuringCore> {
  // A scanner that is not asked to measure does not load the scene.
  const { readyScene, SceneCore } = await import('./scene/index.js');
  const seed = new DataView(random.bytes(4).slice().buffer).getUint32(0);
  for (let logged = false; ; logged = true) {
    try {
      return new SceneCore({ scene: readyScene(usualScene), seed, dirt: hardware });
    } catch (error) {
      if (!isShortOfFiles(error)) throw error;
      if (!logged)
        hardware.log.error('The scanner cannot measure yet; it tries again', { reason: error.message });
      await pause(retryInterval, undefined, { keepsAlive: false });
    }
  }
}

/** Whether the process, or the machine, can open no more files. */
function isShortOfFiles(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
