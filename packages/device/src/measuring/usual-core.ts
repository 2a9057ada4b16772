import { Later } from '../later.js';
import type { Log } from '../ports/host.js';
import type { MeasuringCore } from '../ports/measuring-core.js';
import type { Random } from '../ports/random.js';

/** What a scanner sees that nobody has told what to see. */
export const usualScene = 'warehouse-aisle';

const scenes = new Later(() => import('../scene/index.js'));

/** The core of a scanner that was given none: one of the ready scenes, with noise that is like no other. */
export async function usualCore(random: Random, log: Log): Promise<MeasuringCore> {
  const { SceneCore, readyScene } = await scenes.untilLoaded((error) =>
    log.error('The scanner measures later', { reason: error.message }),
  );
  return new SceneCore({ scene: await readyScene(usualScene), seed: seedOf(random) });
}

function seedOf(random: Random): number {
  return new DataView(random.bytes(4).slice().buffer).getUint32(0);
}
