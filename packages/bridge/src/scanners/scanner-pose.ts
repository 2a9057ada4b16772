import { pause } from '@azimuth/async';
import { ScannerError } from '@azimuth/client';
import { type SensorPosition, transformsOf, unmoved } from '../messages/index.js';
import type { BridgedScanner } from './bridged-scanner.js';
import { frameIdOf, worldFrame } from './stream-topics.js';
import { WhileWanted } from './while-wanted.js';

/** Time in ms after which the pose is read and told again. */
const poseInterval = 2000;

/** Makes work that reads the pose of a scanner, and tells it as tf2_msgs/TFMessage (CDR), every two seconds. */
export function poseWhileWanted(
  scanner: BridgedScanner,
  onPose: (message: Uint8Array, read: number) => void,
  onState: (failure: string | undefined) => void,
): WhileWanted {
  return new WhileWanted({
    onState,
    work: async (signal, works) => {
      while (!signal.aborted) {
        const position = await positionOf(scanner);
        if (signal.aborted) return;
        works();
        const stamp = Date.now() * 1000;
        onPose(transformsOf(position, { stamp, frameId: worldFrame }, frameIdOf(scanner.name)), stamp);
        await pause(poseInterval, signal);
      }
    },
  });
}

/** Reads SensorPosition. Releases before 2.2.0 do not have it: their scanner is in the origin. */
async function positionOf({ scanner }: BridgedScanner): Promise<SensorPosition> {
  try {
    return await scanner.read('SensorPosition');
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return unmoved;
    throw error;
  }
}
